import type { UserCaller } from '@gatehouse/contracts-core';
import type {
  ContactResponse,
  FaultyRowRecord,
  ImportContactsDto,
  ImportedRowRecord,
  SkippedRowRecord,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { acknowledgementFault } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { lockContacts } from '../contacts.repository.ts';
import { ContactImportRepository } from './contact-import.repository.ts';
import { changedContact, newContact, type Placed, PrimaryContacts, type StoredContact } from './stored-contact.ts';
import { organizationsOf, type PlannedRow, planImport } from './plan-import.ts';
import { readRows } from './read-rows.ts';

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
  readonly primaries: PrimaryContacts;
}

const CONFLICTS: Readonly<Record<string, string>> = {
  'duplicate-row': 'An earlier row of this import is about the same contact.',
  'ambiguous-email': 'contacts of the organisation have this e-mail address.',
  'ambiguous-name': 'contacts of the organisation have this name.',
  'email-of-another-contact': 'The e-mail address belongs to another contact than the external id.',
};
const ACKNOWLEDGEMENTS = {
  'annotation-changed': 'The row would not have the outcome that the preview showed; preview again.',
  'match-changed': 'The row matches another contact than in the preview; preview again.',
  'match-unconfirmed': 'A match by name must be confirmed by echoing the annotation and the contact of the preview.',
} as const;

@Injectable()
export class ImportContacts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly contactImportRepository: ContactImportRepository,
  ) {}

  /**
   * Stores all valid rows together and reports invalid rows by index. The number of statements does not depend on the
   * number of rows.
   */
  import(caller: UserCaller, batch: ImportContactsDto): Promise<ContactImportOutcome> {
    const readings = readRows(batch);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const lists = { readings, locking: 'locked' } as const;
      const organizations = await organizationsOf(this.contactImportRepository, tx, caller, lists);
      const orgIds = organizations.map(({ id }) => id);
      await lockContacts(tx, orgIds);
      const plan = await planImport(this.contactImportRepository, tx, caller, { ...lists, organizations });
      const writes = decideWrites(plan, batch.mode ?? 'skip');
      await this.store(tx, writes);
      return writes.outcome;
    });
  }

  private async store(tx: Tx, { inserts, updates, primaries }: Writes): Promise<void> {
    const settled = (contact: StoredContact): StoredContact => primaries.settled(contact);
    await this.contactImportRepository.demoteFor(tx, primaries.all);
    await this.contactImportRepository.insert(tx, inserts.map(settled));
    await this.contactImportRepository.update(tx, updates.map(settled));
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

function decideWrites(plan: readonly PlannedRow[], mode: 'skip' | 'update'): Writes {
  const outcome = { imported: [], updated: [], skipped: [], errors: [] };
  const writes: Writes = { outcome, inserts: [], updates: [], primaries: new PrimaryContacts() };
  for (const planned of plan) decideRow(planned, mode, writes);
  return writes;
}

function faultOf(planned: PlannedRow): FaultyRowRecord | null {
  if (planned.kind === 'org-not-found')
    return { index: planned.index, code: 'org-not-found', message: 'There is no such organisation.' };
  if (planned.kind === 'fault') {
    const { code, message } = planned.fault;
    return { index: planned.index, code, message };
  }
  const { placed, verdict } = planned;
  if (verdict.annotation === 'conflict') {
    const message = CONFLICTS[verdict.conflictReason ?? ''] ?? 'The row matches no single contact.';
    return { index: placed.index, code: 'conflict', message: verdict.count ? `${verdict.count} ${message}` : message };
  }
  const fault = acknowledgementFault(placed.read.row, verdict);
  return fault && { index: placed.index, code: fault, message: ACKNOWLEDGEMENTS[fault] };
}

function decideRow(planned: PlannedRow, mode: 'skip' | 'update', writes: Writes): void {
  const fault = faultOf(planned);
  if (fault) writes.outcome.errors.push(fault);
  else if (planned.kind === 'judged' && planned.contact) decideMatch(planned.placed, planned.contact, mode, writes);
  else if (planned.kind === 'judged') decideCreation(planned.placed, writes);
}

function decideCreation(placed: Placed, { outcome, inserts, primaries }: Writes): void {
  const created = newContact(placed);
  inserts.push(created);
  if (created.isPrimary) primaries.add(created);
  outcome.imported.push({ index: placed.index, organizationId: placed.orgId, contactId: created.id });
}

function decideMatch(
  placed: Placed,
  contact: ContactResponse,
  mode: 'skip' | 'update',
  { outcome, updates, primaries }: Writes,
): void {
  const row = { index: placed.index, organizationId: placed.orgId, contactId: contact.id };
  if (mode === 'skip') return void outcome.skipped.push({ ...row, reason: 'exists' });
  const changed = changedContact(placed, contact);
  if (placed.read.fields.isPrimary) primaries.add(changed ?? contact);
  if (!changed) return void outcome.skipped.push({ ...row, reason: 'unchanged' });
  updates.push(changed);
  outcome.updated.push(row);
}
