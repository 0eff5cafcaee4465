import type { UserCaller } from '@gatehouse/contracts-core';
import type { ScriptResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { scriptView } from './script.view.ts';
import { ScriptsRepository } from './scripts.repository.ts';

@Injectable()
export class GetScript {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  /** @throws ProblemError script_not_found */
  execute(caller: UserCaller, id: string): Promise<ScriptResponse> {
    return this.work.read(caller, async (reader) => scriptView(await this.scriptsRepository.get(reader, caller, id)));
  }
}
