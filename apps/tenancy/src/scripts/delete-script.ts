import type { UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { auditScript } from './script.view.ts';
import { ScriptsRepository } from './scripts.repository.ts';

@Injectable()
export class DeleteScript {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  /** @throws ProblemError script_not_found, scope_denied, organization_frozen */
  async execute(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const script = await this.scriptsRepository.getWritable(tx, caller, id);
      await this.scriptsRepository.delete(tx, caller, id);
      auditScript(tx, 'script.delete', script);
    });
  }
}
