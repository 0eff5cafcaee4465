import { hasPartnerWidePolicyRights, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  AnnotatedFieldRecord,
  CustomFieldType,
  FaultyRowRecord,
  FieldAnnotation,
  FieldImportRowDto,
  FieldRowOutcomeRecord,
  ImportFieldsDto,
} from '@gatehouse/contracts-tenancy';
import { onConstraint, type Reader, scoped, type Tx, UnitOfWork } from '@gatehouse/database';
import { fieldKeyOf } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { byOwner, ownedInReach, type Owner, requireOwner } from '../../scope/owner.ts';
import { fieldProblems } from '../custom-field.view.ts';
import { insertField } from '../save-custom-field.ts';

export interface FieldImportOutcome {
  readonly created: FieldRowOutcomeRecord[];
  readonly updated: FieldRowOutcomeRecord[];
  readonly skipped: FieldRowOutcomeRecord[];
  readonly errors: FaultyRowRecord[];
}

interface Known {
  readonly id: string;
  readonly orgId: string | null;
  readonly fieldKey: string;
  readonly type: CustomFieldType;
}
interface Judged {
  readonly annotation: FieldAnnotation;
  readonly fieldId: string | null;
}

/** The import rejects such a row regardless of the stored fields. */
const OUT_OF_REACH: Judged = { annotation: 'conflict', fieldId: null };

const UPDATE = 'UPDATE custom_fields SET name = $2, options = $3 WHERE id = $1';

/** A field that the other system keeps by location becomes a field of the organisation: sites have no fields. */
const ownerScopeOf = ({ ownerScope, sourceScope }: FieldImportRowDto) =>
  sourceScope === 'location' ? 'organization' : (ownerScope ?? 'organization');

function judge(row: FieldImportRowDto, known: readonly Known[], orgId: string | null): Judged {
  const key = row.fieldKey ?? fieldKeyOf(row.name);
  const field = known.find((each) => each.fieldKey === key && each.orgId === orgId);
  if (!field) return { annotation: 'create', fieldId: null };
  if (field.type !== row.type) return { annotation: 'conflict', fieldId: field.id };
  return { annotation: row.sourceScope === 'location' ? 'update' : 'exists', fieldId: field.id };
}

interface Stored {
  readonly owner: Owner;
  readonly as: 'created' | 'updated';
}

interface Taking {
  readonly index: number;
  readonly row: FieldImportRowDto;
  readonly known: Known[];
  readonly outcome: FieldImportOutcome;
}

/** If locations disagree about a field, the later row wins. */
@Injectable()
export class ImportFields {
  constructor(private readonly work: UnitOfWork) {}

  preview(caller: UserCaller, { rows }: ImportFieldsDto): Promise<{ rows: AnnotatedFieldRecord[] }> {
    return this.work.read(caller, async (reader) => {
      const known = await this.known(reader, caller, rows);
      const mayOwn = await this.ownersInReach(reader, caller, rows);
      const orgOf = (row: FieldImportRowDto): string | null =>
        ownerScopeOf(row) === 'partner' ? null : (row.orgId ?? caller.orgId);
      return {
        rows: rows.map((row, index) => ({
          ...row,
          index,
          ...(mayOwn(orgOf(row)) ? judge(row, known, orgOf(row)) : OUT_OF_REACH),
        })),
      };
    });
  }

  execute(caller: UserCaller, { rows }: ImportFieldsDto): Promise<FieldImportOutcome> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const outcome: FieldImportOutcome = { created: [], updated: [], skipped: [], errors: [] };
      const known = await this.known(tx, caller, rows);
      const stored: Stored[] = [];
      for (const [index, row] of rows.entries()) {
        const taken = await this.take(tx, caller, { index, row, known, outcome });
        if (taken) stored.push(taken);
      }
      for (const { owner, rows: own } of byOwner(stored)) {
        const [created, updated] = ['created', 'updated'].map((as) => own.filter((row) => row.as === as).length);
        tx.audit({
          action: 'custom_field.import',
          ...owner,
          resource: { type: 'custom_field', id: null },
          details: { created, updated },
        });
      }
      return outcome;
    });
  }

  private known(reader: Reader, caller: UserCaller, rows: readonly FieldImportRowDto[]): Promise<Known[]> {
    const { where, parameters } = ownedInReach(caller).add(
      'field_key = ANY (?::text[])',
      rows.map(({ fieldKey, name }) => fieldKey ?? fieldKeyOf(name)),
    );
    return reader.query<Known>(`SELECT id, org_id, field_key, type FROM custom_fields ${where}`, parameters);
  }

  /** Returns for each owner (null is the partner) whether the caller may create fields for it. */
  private async ownersInReach(
    reader: Reader,
    caller: UserCaller,
    rows: readonly FieldImportRowDto[],
  ): Promise<(orgId: string | null) => boolean> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
      .add('id = ANY (?::uuid[])', rows.map(({ orgId }) => orgId ?? caller.orgId ?? '').filter(Boolean))
      .raw('deleted_at IS NULL');
    const organizations =
      caller.scope.sites === 'all'
        ? await reader.query<{ id: string }>(`SELECT id FROM organizations ${where}`, parameters)
        : [];
    const inReach = new Set(organizations.map(({ id }) => id));
    return (orgId) => (orgId === null ? hasPartnerWidePolicyRights(caller) : inReach.has(orgId));
  }

  private async take(tx: Tx, caller: UserCaller, taking: Taking): Promise<Stored | null> {
    const { index, row, outcome } = taking;
    try {
      requireOptions(row);
      const owner = await requireOwner(tx, caller, { ownerScope: ownerScopeOf(row), orgId: row.orgId });
      return await this.store(tx, caller, owner, taking);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      outcome.errors.push({ index, code: error.code, message: error.message });
      return null;
    }
  }

  private async store(tx: Tx, caller: UserCaller, owner: Owner, taking: Taking): Promise<Stored | null> {
    const { index, row, known, outcome } = taking;
    const { annotation, fieldId } = judge(row, known, owner.orgId);
    if (annotation === 'conflict') throw new ProblemError('conflict', 'A field with this key has another type.');
    if (annotation === 'exists' && fieldId) {
      outcome.skipped.push({ index, fieldId });
      return null;
    }
    if (fieldId) {
      await this.update(tx, { index, row, fieldId, outcome });
      return { owner, as: 'updated' };
    }
    const fieldKey = row.fieldKey ?? fieldKeyOf(row.name);
    const id = await insertField(tx, owner, { ...row, fieldKey });
    // A concurrent request has created the field since the fields were read, so the row is judged again.
    if (id === null) return this.store(tx, caller, owner, { ...taking, known: await this.known(tx, caller, [row]) });
    known.push({ id, orgId: owner.orgId, fieldKey, type: row.type });
    outcome.created.push({ index, fieldId: id });
    return { owner, as: 'created' };
  }

  private async update(
    tx: Tx,
    {
      index,
      row,
      fieldId,
      outcome,
    }: { index: number; row: FieldImportRowDto; fieldId: string; outcome: FieldImportOutcome },
  ): Promise<void> {
    await tx.query(UPDATE, [fieldId, row.name, row.options ?? []]).catch(onConstraint(fieldProblems));
    outcome.updated.push({ index, fieldId });
  }
}

/** Checked before the insert, because a violated constraint would abort the whole batch. */
function requireOptions({ type, options = [] }: FieldImportRowDto): void {
  if ((type === 'dropdown') !== options.length > 0) throw fieldProblems.custom_field_options_for_dropdowns();
}
