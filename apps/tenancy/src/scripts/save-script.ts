import { partUpdates, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateScriptDto, ScriptResponse, UpdateScriptDto } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { assignments, insertion } from '../rows/assignments.ts';
import { type Owner, ownedInReach, requireOwned, requireOwner } from '../scope/owner.ts';
import {
  findScript,
  requireExitCodes,
  type ScriptRow,
  scriptNameTaken,
  scriptNotFound,
  scriptView,
} from './script.view.ts';

const DEFAULT_LANGUAGE = 'powershell';

/** A script belongs to one organisation unless the request makes it available to the whole partner. */
export const ownerOf = (
  tx: Tx,
  caller: UserCaller,
  { availability, partnerId, orgId }: CreateScriptDto,
): Promise<Owner> => requireOwner(tx, caller, { ownerScope: availability ?? 'organization', partnerId, orgId });

/** Lists are stored as JSON; the driver would write arrays as SQL arrays. */
const stored = <T extends { parameters?: object[] }>(script: T): object => ({
  ...script,
  parameters: script.parameters && JSON.stringify(script.parameters),
});

/**
 * Inserts a script.
 * @returns its id, or null if its owner already has a script with this name
 */
export async function insertScript(
  tx: Tx,
  owner: Owner,
  { availability: _, ...draft }: CreateScriptDto,
): Promise<string | null> {
  const { columns, placeholders, values } = insertion(
    stored({ ...draft, id: newId(), language: draft.language ?? DEFAULT_LANGUAGE, ...owner }),
  );
  const row = await tx.one<{ id: string }>(
    `INSERT INTO scripts (${columns}) VALUES (${placeholders}) ON CONFLICT ON CONSTRAINT script_name_unique DO NOTHING RETURNING id`,
    values,
  );
  return row?.id ?? null;
}

@Injectable()
export class SaveScript {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * @throws ProblemError validation_failed, scope_denied, partner_required, org_required, organization_not_found,
   * organization_frozen, name_taken
   */
  create(caller: UserCaller, draft: CreateScriptDto): Promise<ScriptResponse> {
    requireExitCodes(draft.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await insertScript(tx, await ownerOf(tx, caller, draft), draft);
      if (id === null) throw scriptNameTaken.script_name_unique();
      const script = await findScript(tx, caller, id);
      this.record(tx, 'script.create', script);
      return scriptView(script);
    });
  }

  /**
   * @throws ProblemError no_updates_provided, validation_failed, script_not_found, scope_denied, organization_frozen,
   * name_taken
   */
  update(caller: UserCaller, id: string, patch: UpdateScriptDto): Promise<ScriptResponse> {
    const { updates, named } = partUpdates(patch, ['availability', 'orgId', 'partnerId']);
    requireExitCodes(updates.exitCodeSeverityMapping);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.requireScript(tx, caller, id));
      const conditions = ownedInReach(caller).add('id = ?', id);
      const set = assignments(
        Object.fromEntries(Object.entries(stored(updates)).filter(([, value]) => value !== undefined)),
        conditions,
      );
      await tx
        .query(`UPDATE scripts SET ${set} ${conditions.where}`, conditions.parameters)
        .catch(onConstraint(scriptNameTaken));
      const script = await findScript(tx, caller, id);
      this.record(tx, 'script.update', script, { changedFields: Object.keys(updates) });
      return scriptView(script);
    });
  }

  /** @throws ProblemError script_not_found, scope_denied, organization_frozen */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const script = await this.requireScript(tx, caller, id);
      const { where, parameters } = ownedInReach(caller).add('id = ?', id);
      if (!(await tx.one(`DELETE FROM scripts ${where} RETURNING id`, parameters))) throw scriptNotFound();
      this.record(tx, 'script.delete', script);
    });
  }

  private async requireScript(tx: Tx, caller: UserCaller, id: string): Promise<ScriptRow> {
    const script = await findScript(tx, caller, id);
    await requireOwned(tx, caller, script.orgId);
    return script;
  }

  private record(
    tx: Tx,
    action: 'script.create' | 'script.update' | 'script.delete',
    { id, name, partnerId, orgId }: ScriptRow,
    details: Record<string, unknown> = {},
  ): void {
    tx.audit({ action, partnerId, orgId, resource: { type: 'script', id, name }, details });
  }
}
