import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { ScriptQuery, ScriptResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ScriptsRepository } from './scripts.repository.ts';

@Injectable()
export class ListScripts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  execute(caller: UserCaller, query: ScriptQuery): Promise<Page<ScriptResponse>> {
    return this.work.read(caller, (reader) => this.scriptsRepository.list(reader, caller, query));
  }
}
