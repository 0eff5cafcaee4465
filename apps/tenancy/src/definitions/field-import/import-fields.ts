import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type {
  FaultyRowRecord,
  FieldImportRowDto,
  FieldRowOutcomeRecord,
  ImportFieldsDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { byOwner, type Owner, requireOwner } from '../../scope/owner.ts';
import {
  CustomFieldsRepository,
  FieldImportRepository,
  type KnownField,
  optionsMismatch,
} from '../custom-fields.repository.ts';
import { hasFittingOptions, judge, keyOf, ownerScopeOf } from './field-import.service.ts';

export interface FieldImportOutcome {
  readonly created: FieldRowOutcomeRecord[];
  readonly updated: FieldRowOutcomeRecord[];
  readonly skipped: FieldRowOutcomeRecord[];
  readonly errors: FaultyRowRecord[];
}

interface Stored {
  readonly owner: Owner;
  readonly as: 'created' | 'updated';
}

interface RowImport {
  readonly index: number;
  readonly row: FieldImportRowDto;
  readonly known: KnownField[];
  readonly outcome: FieldImportOutcome;
}

/** If locations disagree about a field, the later row wins. */
@Injectable()
export class ImportFields {
  constructor(
    private readonly work: UnitOfWork,
    private readonly fieldImportRepository: FieldImportRepository,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  import(caller: UserCaller, { rows }: ImportFieldsDto): Promise<FieldImportOutcome> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const outcome: FieldImportOutcome = { created: [], updated: [], skipped: [], errors: [] };
      const known = await this.fieldImportRepository.known(tx, caller, rows.map(keyOf));
      const stored: Stored[] = [];
      for (const [index, row] of rows.entries()) {
        const imported = await this.importOne(tx, caller, { index, row, known, outcome });
        if (imported) stored.push(imported);
      }
      for (const { owner, rows: own } of byOwner(stored)) {
        const [created, updated] = ['created', 'updated'].map((as) => own.filter((row) => row.as === as).length);
        const details = { created, updated };
        tx.audit({ action: 'custom_field.import', ...owner, resource: { type: 'custom_field', id: null }, details });
      }
      return outcome;
    });
  }

  private async importOne(tx: Tx, caller: UserCaller, task: RowImport): Promise<Stored | null> {
    const { index, row, outcome } = task;
    try {
      // Checked before the insert, because a violated constraint would abort the whole batch.
      if (!hasFittingOptions(row)) throw optionsMismatch();
      const owner = await requireOwner(tx, caller, { ownerScope: ownerScopeOf(row), orgId: row.orgId });
      return await this.store(tx, caller, owner, task);
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      outcome.errors.push({ index, code: error.code, message: error.reason });
      return null;
    }
  }

  private async store(tx: Tx, caller: UserCaller, owner: Owner, task: RowImport): Promise<Stored | null> {
    const { index, row, known, outcome } = task;
    const { annotation, fieldId } = judge(row, known, owner.orgId);
    if (annotation === 'conflict') throw new ProblemError('conflict', 'A field with this key has another type.');
    if (annotation === 'exists' && fieldId) {
      outcome.skipped.push({ index, fieldId });
      return null;
    }
    if (fieldId) {
      await this.fieldImportRepository.update(tx, fieldId, row);
      outcome.updated.push({ index, fieldId });
      return { owner, as: 'updated' };
    }
    const fieldKey = keyOf(row);
    const id = await this.customFieldsRepository.insert(tx, owner, { ...row, fieldKey });
    // A concurrent request has created the field since the fields were read, so the row is judged again.
    if (id === null)
      return this.store(tx, caller, owner, {
        ...task,
        known: await this.fieldImportRepository.known(tx, caller, [fieldKey]),
      });
    known.push({ id, orgId: owner.orgId, fieldKey, type: row.type });
    outcome.created.push({ index, fieldId: id });
    return { owner, as: 'created' };
  }
}
