import type { UserCaller } from '@gatehouse/contracts-core';
import type { CreateScriptDto, ScriptResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireExitCodes, requireScriptOwner } from './script-rules.ts';
import { auditScript, scriptView } from './script.view.ts';
import { scriptNameTaken, ScriptsRepository } from './scripts.repository.ts';

@Injectable()
export class CreateScript {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  /**
   * @throws ProblemError validation_failed, scope_denied, partner_required, org_required, organization_not_found,
   * organization_frozen, name_taken
   */
  execute(caller: UserCaller, draft: CreateScriptDto): Promise<ScriptResponse> {
    requireExitCodes(draft.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.scriptsRepository.insert(tx, await requireScriptOwner(tx, caller, draft), draft);
      if (id === null) throw scriptNameTaken();
      const script = await this.scriptsRepository.get(tx, caller, id);
      auditScript(tx, 'script.create', script);
      return scriptView(script);
    });
  }
}
