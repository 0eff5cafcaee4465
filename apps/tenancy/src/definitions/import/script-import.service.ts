import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  CreateScriptDto,
  FaultyRowRecord,
  ImportedScriptRecord,
  ImportScriptsDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { byOwner, type Owner } from '../../scope/owner.ts';
import { requireExitCodes, requireScriptOwner } from '../scripts.service.ts';
import { ScriptsRepository } from '../scripts.repository.ts';

export interface ScriptImportOutcome {
  readonly imported: ImportedScriptRecord[];
  readonly skipped: { readonly index: number; readonly reason: 'exists' }[];
  readonly errors: FaultyRowRecord[];
}

@Injectable()
export class ScriptImportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  /** Stores the scripts whose name the owner does not use yet. Invalid scripts are reported by index. */
  importScripts(caller: UserCaller, { scripts }: ImportScriptsDto): Promise<ScriptImportOutcome> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const outcome: ScriptImportOutcome = { imported: [], skipped: [], errors: [] };
      const imported: { owner: Owner; name: string }[] = [];
      for (const [index, script] of scripts.entries()) {
        const owner = await this.importOne(tx, caller, { index, script, outcome });
        if (owner) imported.push({ owner, name: script.name });
      }
      for (const { owner, rows } of byOwner(imported)) {
        tx.audit({
          action: 'script.import',
          ...owner,
          resource: { type: 'script', id: null },
          details: { imported: rows.length, names: rows.map(({ name }) => name) },
        });
      }
      return outcome;
    });
  }

  /**
   * Checks a row before its first write, so that a problem does not abort the transaction.
   * @returns the owner, if the script was stored
   */
  private async importOne(
    tx: Tx,
    caller: UserCaller,
    { index, script, outcome }: { index: number; script: CreateScriptDto; outcome: ScriptImportOutcome },
  ): Promise<Owner | null> {
    try {
      requireExitCodes(script.exitCodeSeverityMapping);
      const owner = await requireScriptOwner(tx, caller, script);
      const isTaken = await this.scriptsRepository.hasName(tx, owner, script.name);
      const scriptId = isTaken ? null : await this.scriptsRepository.insert(tx, owner, script);
      if (scriptId === null) outcome.skipped.push({ index, reason: 'exists' });
      else outcome.imported.push({ index, scriptId });
      return scriptId === null ? null : owner;
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      outcome.errors.push({ index, code: error.code, message: error.message });
      return null;
    }
  }
}
