import { invalid, type Page, partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateScriptDto, ScriptQuery, ScriptResponse, UpdateScriptDto } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { faultyExitCode } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { type Owner, requireOwner } from '../scope/owner.ts';
import { scriptNameTaken, type ScriptRow, ScriptsRepository } from './scripts.repository.ts';

const scriptView = ({ partnerId: _, ...script }: ScriptRow): ScriptResponse => script;

function auditScript(
  tx: Tx,
  action: 'script.create' | 'script.update' | 'script.delete',
  { id, name, partnerId, orgId }: ScriptRow,
  details: Record<string, unknown> = {},
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'script', id, name }, details });
}

/** A script belongs to one organisation unless the request makes it available to the whole partner. */
export const requireScriptOwner = (
  tx: Tx,
  caller: UserCaller,
  { availability, partnerId, orgId }: CreateScriptDto,
): Promise<Owner> => requireOwner(tx, caller, { ownerScope: availability ?? 'organization', partnerId, orgId });

/** @throws ProblemError validation_failed that names the invalid exit code */
export function requireExitCodes(mapping: Readonly<Record<string, unknown>> | undefined): void {
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
    return this.work.read(caller, async (reader) => scriptView(await this.scriptsRepository.get(reader, caller, id)));
  }

  create(caller: UserCaller, draft: CreateScriptDto): Promise<ScriptResponse> {
    requireExitCodes(draft.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.scriptsRepository.insert(tx, await requireScriptOwner(tx, caller, draft), draft);
      if (id === null) throw scriptNameTaken();
      const script = await this.scriptsRepository.get(tx, caller, id);
      auditScript(tx, 'script.create', script);
      return scriptView(script);
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
      return scriptView(script);
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
