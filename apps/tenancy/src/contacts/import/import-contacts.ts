import type { UserCaller } from '@gatehouse/contracts-core';
import type {
  FaultyRowRecord,
  ImportContactsDto,
  ImportedRowRecord,
  SkippedRowRecord,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { acknowledgementFault } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { lockContacts } from '../contact.view.ts';
import { organizationsOf, type PlannedRow, planImport } from './plan-import.ts';
import { readRows } from './read-rows.ts';
import { changedContact, newContact, type StoredContact } from './stored-contact.ts';

export interface ContactImportOutcome {
  readonly imported: ImportedRowRecord[];
  readonly updated: ImportedRowRecord[];
  readonly skipped: SkippedRowRecord[];
  readonly errors: FaultyRowRecord[];
}

interface Writes {
  readonly outcome: ContactImportOutcome;
  readonly inserts: StoredContact[];
  readonly updates: StoredContact[];
}

const COLUMNS =
  'id, partner_id, org_id, site_id, name, email, phone, mobile, title, roles, notes, external_system, external_id';
const RECORD = `jsonb_to_recordset($1::jsonb) AS r(id uuid, partner_id uuid, org_id uuid, site_id uuid, name text, email text, phone text, mobile text, title text, roles text[], notes text, external_system text, external_id text)`;
const INSERT = `INSERT INTO contacts (${COLUMNS}) SELECT ${COLUMNS} FROM ${RECORD}`;
// A primary contact that moves to another scope is not primary there.
const UPDATE = `
  UPDATE contacts c SET site_id = r.site_id, name = r.name, email = r.email, phone = r.phone, mobile = r.mobile, title = r.title, roles = r.roles, notes = r.notes,
         external_system = r.external_system, external_id = r.external_id, is_primary = c.is_primary AND c.site_id IS NOT DISTINCT FROM r.site_id
    FROM ${RECORD} WHERE c.id = r.id AND c.org_id = r.org_id`;

const CONFLICTS: Readonly<Record<string, string>> = {
  'duplicate-row': 'An earlier row of this import is about the same contact.',
  'ambiguous-email': 'Several contacts of the organization have this e-mail address.',
  'ambiguous-name': 'Several contacts of the organization have this name.',
  'email-of-another-contact': 'The e-mail address belongs to another contact than the external id.',
};
const ACKNOWLEDGEMENTS = {
  'annotation-changed': 'The row would not do what the preview said; preview again.',
  'match-changed': 'The row matches another contact than the preview said; preview again.',
  'match-unconfirmed': 'A match by name must be confirmed by echoing the annotation and the contact of the preview.',
} as const;

@Injectable()
export class ImportContacts {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Stores all valid rows together and reports invalid rows by index. The number of statements does not depend on the
   * number of rows.
   * @throws ProblemError too_many_rows
   */
  execute(caller: UserCaller, batch: ImportContactsDto): Promise<ContactImportOutcome> {
    const readings = readRows(batch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const organizations = await organizationsOf(tx, caller, readings, 'held');
      await lockContacts(
        tx,
        organizations.map(({ id }) => id),
      );
      const plan = await planImport(tx, caller, { readings, organizations, hold: 'held' });
      const writes = decideWrites(plan, batch.mode ?? 'skip');
      await this.store(tx, writes);
      return writes.outcome;
    });
  }

  private async store(tx: Tx, { inserts, updates }: Writes): Promise<void> {
    if (inserts.length > 0) await tx.query(INSERT, [JSON.stringify(inserts.map(toRecord))]);
    if (updates.length > 0) await tx.query(UPDATE, [JSON.stringify(updates.map(toRecord))]);
    for (const orgId of new Set([...inserts, ...updates].map((contact) => contact.orgId))) {
      const [imported, updated] = [inserts, updates].map((contacts) =>
        contacts.filter((contact) => contact.orgId === orgId),
      );
      const partnerId = [...(imported ?? []), ...(updated ?? [])][0]?.partnerId ?? null;
      tx.audit({
        action: 'contact.import',
        partnerId,
        orgId,
        resource: { type: 'organization', id: orgId },
        details: { imported: imported?.length, updated: updated?.length },
      });
    }
  }
}

const toRecord = ({ id, partnerId, orgId, siteId, externalSystem, externalId, ...texts }: StoredContact): object => ({
  id,
  partner_id: partnerId,
  org_id: orgId,
  site_id: siteId,
  external_system: externalSystem,
  external_id: externalId,
  ...texts,
});

function decideWrites(plan: readonly PlannedRow[], mode: 'skip' | 'update'): Writes {
  const writes: Writes = { outcome: { imported: [], updated: [], skipped: [], errors: [] }, inserts: [], updates: [] };
  for (const planned of plan) decideRow(planned, mode, writes);
  return writes;
}

function faultOf(planned: PlannedRow): FaultyRowRecord | null {
  if (planned.kind === 'org-not-found')
    return { index: planned.index, code: 'org-not-found', message: 'There is no such organization in your reach.' };
  if (planned.kind === 'fault') return { index: planned.index, ...planned.fault };
  const { placed, verdict } = planned;
  if (verdict.annotation === 'conflict')
    return {
      index: placed.index,
      code: 'conflict',
      message: CONFLICTS[verdict.conflictReason ?? ''] ?? 'The row is not certain.',
    };
  const fault = acknowledgementFault(placed.read.row, verdict);
  return fault && { index: placed.index, code: fault, message: ACKNOWLEDGEMENTS[fault] };
}

function decideRow(planned: PlannedRow, mode: 'skip' | 'update', { outcome, inserts, updates }: Writes): void {
  const fault = faultOf(planned);
  if (fault) return void outcome.errors.push(fault);
  if (planned.kind !== 'judged') return;
  const { placed, contact } = planned;
  const { index, orgId: organizationId } = placed;
  if (!contact) {
    const created = newContact(placed);
    inserts.push(created);
    return void outcome.imported.push({ index, organizationId, contactId: created.id });
  }
  const changed = mode === 'update' ? changedContact(placed, contact) : null;
  if (changed) updates.push(changed);
  if (changed) outcome.updated.push({ index, organizationId, contactId: contact.id });
  else
    outcome.skipped.push({
      index,
      organizationId,
      contactId: contact.id,
      reason: mode === 'skip' ? 'exists' : 'unchanged',
    });
}
