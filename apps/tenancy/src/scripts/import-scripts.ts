import { Refusal, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateScriptDto, FaultyRowDto, ImportedScriptDto, ImportScriptsDto } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { insertScript, ownerOf } from './save-script.ts';
import { requireExitCodes } from './script.view.ts';

export interface ScriptImportOutcome {
  readonly imported: ImportedScriptDto[];
  readonly skipped: { readonly index: number; readonly reason: 'exists' }[];
  readonly errors: FaultyRowDto[];
}

@Injectable()
export class ImportScripts {
  constructor(private readonly work: UnitOfWork) {}

  /** Scripts that the owner does not have yet by name; those refused are answered by index, the others are stored. */
  execute(caller: UserCaller, { scripts }: ImportScriptsDto): Promise<ScriptImportOutcome> {
    return this.work.run(caller, async (tx) => {
      const outcome: ScriptImportOutcome = { imported: [], skipped: [], errors: [] };
      for (const [index, script] of scripts.entries()) await this.take(tx, caller, { index, script, outcome });
      const names = outcome.imported.map(({ index }) => scripts[index]?.name);
      if (names.length > 0) tx.audit({ action: 'script.import', partnerId: caller.partnerId, resource: { type: 'script', id: null }, details: { imported: names.length, names } });
      return outcome;
    });
  }

  /** Refusals come before the first write of a row, so the transaction stays whole. */
  private async take(tx: Tx, caller: UserCaller, { index, script, outcome }: { index: number; script: CreateScriptDto; outcome: ScriptImportOutcome }): Promise<void> {
    try {
      requireExitCodes(script.exitCodeSeverityMapping);
      const scriptId = await insertScript(tx, await ownerOf(tx, caller, script), script);
      if (scriptId === null) outcome.skipped.push({ index, reason: 'exists' });
      else outcome.imported.push({ index, scriptId });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcome.errors.push({ index, code: error.code, message: error.message });
    }
  }
}
