import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { ScriptResponse, ScriptQuery } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { listedInReach } from '../scope/owner.ts';
import { findScript, SCRIPT_COLUMNS, scriptView } from './script.view.ts';

@Injectable()
export class ListScripts {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, query: ScriptQuery): Promise<Page<ScriptResponse>> {
    const conditions = listedInReach(caller).add('org_id = ?', query.orgId).add('category = ?', query.category);
    return this.work.read(caller, (reader) =>
      listPage<ScriptResponse>(reader, query, {
        columns: SCRIPT_COLUMNS,
        from: 'scripts',
        conditions,
        order: ['name', 'id'],
      }),
    );
  }

  /** @throws ProblemError script_not_found */
  one(caller: UserCaller, id: string): Promise<ScriptResponse> {
    return this.work.read(caller, async (reader) => scriptView(await findScript(reader, caller, id)));
  }
}
