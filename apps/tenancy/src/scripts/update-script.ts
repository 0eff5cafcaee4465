import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { ScriptResponse, UpdateScriptDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireExitCodes } from './script-rules.ts';
import { auditScript, scriptView } from './script.view.ts';
import { ScriptsRepository } from './scripts.repository.ts';

@Injectable()
export class UpdateScript {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  /**
   * @throws ProblemError no_updates_provided, validation_failed, script_not_found, scope_denied, organization_frozen,
   * name_taken
   */
  execute(caller: UserCaller, id: string, patch: UpdateScriptDto): Promise<ScriptResponse> {
    const { updates, named } = partUpdates(patch, ['availability', 'orgId', 'partnerId']);
    requireExitCodes(updates.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.scriptsRepository.getWritable(tx, caller, id));
      await this.scriptsRepository.update(tx, caller, id, updates);
      const script = await this.scriptsRepository.get(tx, caller, id);
      auditScript(tx, 'script.update', script, { changedFields: Object.keys(updates) });
      return scriptView(script);
    });
  }
}
