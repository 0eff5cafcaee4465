import { invalid, type Page, partUpdates, ProblemError, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type {
  CreateScriptDto,
  FaultyRowRecord,
  ImportedScriptRecord,
  ImportScriptsDto,
  ScriptQuery,
  ScriptResponse,
  UpdateScriptDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { faultyExitCode } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { byOwner, type Owner, requireOwner } from '../scope/owner.ts';
import { scriptNameTaken, ScriptsRepository } from './scripts.repository.ts';

function auditScript(
  tx: Tx,
  action: 'script.create' | 'script.update' | 'script.delete',
  { id, name, partnerId, orgId }: ScriptResponse,
  details: Record<string, unknown> = {},
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'script', id, name }, details });
}

/** A script belongs to one organisation unless the request makes it available to the whole partner. */
const requireScriptOwner = (
  tx: Tx,
  caller: UserCaller,
  { availability, partnerId, orgId }: CreateScriptDto,
): Promise<Owner> => requireOwner(tx, caller, { ownerScope: availability ?? 'organization', partnerId, orgId });

/** @throws ProblemError validation_failed that names the invalid exit code */
function requireExitCodes(mapping: Readonly<Record<string, unknown>> | undefined): void {
  const fault = mapping ? faultyExitCode(mapping) : null;
  if (fault !== null)
    throw invalid(`exitCodeSeverityMapping.${fault}`, 'must be an exit code other than 0 with a severity');
}

@Injectable()
export class ScriptsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly scriptsRepository: ScriptsRepository,
  ) {}

  list(caller: UserCaller, query: ScriptQuery): Promise<Page<ScriptResponse>> {
    return this.work.read(caller, (reader) => this.scriptsRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<ScriptResponse> {
    return this.work.read(caller, (reader) => this.scriptsRepository.get(reader, caller, id));
  }

  create(caller: UserCaller, draft: CreateScriptDto): Promise<ScriptResponse> {
    requireExitCodes(draft.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.scriptsRepository.insert(tx, await requireScriptOwner(tx, caller, draft), draft);
      if (id === null) throw scriptNameTaken();
      const script = await this.scriptsRepository.get(tx, caller, id);
      auditScript(tx, 'script.create', script);
      return script;
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateScriptDto): Promise<ScriptResponse> {
    const { updates, named } = partUpdates(patch, ['availability', 'orgId', 'partnerId']);
    requireExitCodes(updates.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.scriptsRepository.getWritable(tx, caller, id));
      await this.scriptsRepository.update(tx, caller, id, updates);
      const script = await this.scriptsRepository.get(tx, caller, id);
      auditScript(tx, 'script.update', script, { changedFields: Object.keys(updates) });
      return script;
    });
  }

  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const script = await this.scriptsRepository.getWritable(tx, caller, id);
      await this.scriptsRepository.delete(tx, caller, id);
      auditScript(tx, 'script.delete', script);
    });
  }
}

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
        const details = { imported: rows.length, names: rows.map(({ name }) => name) };
        tx.audit({ action: 'script.import', ...owner, resource: { type: 'script', id: null }, details });
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
      outcome.errors.push({ index, code: error.code, message: error.reason });
      return null;
    }
  }
}
