import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { MergeRunQuery, MergeRunResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { mergeRunView } from './merge-run.view.ts';
import { OrganizationRunsRepository } from './organization-runs.repository.ts';

/** Lists merges under way and past ones, so that every administrator finds them again. */
@Injectable()
export class ListMergeRuns {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationRunsRepository: OrganizationRunsRepository,
  ) {}

  async execute(caller: UserCaller, query: MergeRunQuery): Promise<Page<MergeRunResponse>> {
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.organizationRunsRepository.listMerges(reader, caller, query),
    );
    return { rows: rows.map(mergeRunView), total };
  }
}
