import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  FROZEN_STATUSES,
  type ImportValuesDto,
  MAX_IMPORT_ROWS,
  ValueImportRowDto,
  type ValueOutcome,
} from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { type FieldValue, readImported } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { FieldValuesRepository } from '../custom-fields.repository.ts';
import { DeviceFinder, type Found } from './device-finder.ts';
import { type ImportDevice, type ImportField, ValueImportRepository } from './value-import.repository.ts';

export interface PlannedValue {
  readonly fieldId: string;
  readonly value: FieldValue;
  /** The device has a value already, which the import leaves alone. */
  readonly kept: boolean;
}
export interface PlannedValues {
  readonly outcome: ValueOutcome;
  readonly device: ImportDevice | null;
  readonly values: readonly PlannedValue[];
  readonly fault: { code: string; message: string } | null;
  readonly row: ValueImportRowDto | null;
}

/** @param device the device that was found: the fault is about the row or one of its cells, not about the device */
const fault = (code: string, message: string, device: ImportDevice | null = null): PlannedValues => ({
  outcome: 'conflict',
  device,
  values: [],
  fault: { code, message },
  row: null,
});

/** The result of a row whose device was not found. */
function unresolved(row: ValueImportRowDto, found: Found): PlannedValues {
  const reason = found.outcome === 'conflict' ? { code: 'conflict', message: found.reason } : null;
  return { outcome: found.outcome, device: null, values: [], fault: reason, row };
}

/** @param orgId null for a field of the whole partner */
const fieldKeyOf = (partnerId: string, orgId: string | null, key: string): string =>
  `${partnerId}\n${orgId ?? ''}\n${key}`;

/** Far more values than a device has; bounds the cost of a row. */
const MAX_VALUES = 200;
const MAX_NAMED = 100;

const INVALID = fault(
  'validation_failed',
  `A row needs values, at most ${MAX_VALUES}, and a hostname or a sourceSystem with sourceDeviceId.`,
);

/** Returns rows that are valid on their own, and null for the others. */
export function readValueRows({ rows }: ImportValuesDto): (ValueImportRowDto | null)[] {
  if (rows.length > MAX_IMPORT_ROWS)
    throw new ProblemError('too_many_rows', `An import accepts at most ${MAX_IMPORT_ROWS} rows.`, {
      limit: MAX_IMPORT_ROWS,
      rows: rows.length,
    });
  if (rows.length === 0) throw invalid('rows', 'must hold at least one row');
  return rows.map((raw) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return null;
    const { values, ...named } = raw as Partial<ValueImportRowDto>;
    // Values are assigned without a copy, because copying dominated the cost of reading the rows.
    const row = Object.assign(plainToInstance(ValueImportRowDto, named), { values });
    const isNamed = row.hostname !== undefined || (row.sourceSystem !== undefined && row.sourceDeviceId !== undefined);
    return isNamed &&
      Object.keys(values ?? {}).length <= MAX_VALUES &&
      validateSync(row, { forbidUnknownValues: false }).length === 0
      ? (row as ValueImportRowDto)
      : null;
  });
}

export interface PlanOptions {
  readonly mode: 'skip' | 'overwrite';
  /** Locks the fields and devices until the transaction ends, after waiting for concurrent deletions. */
  readonly lock: boolean;
}

/**
 * Plans the outcome of each row. A device is found by its recorded source id, or else by a hostname that only one
 * device has; an ambiguous row is a conflict.
 */
@Injectable()
export class ValuePlanner {
  constructor(
    private readonly valueImportRepository: ValueImportRepository,
    private readonly fieldValuesRepository: FieldValuesRepository,
  ) {}

  async plan(
    reader: Reader,
    caller: UserCaller,
    rows: readonly (ValueImportRowDto | null)[],
    { mode, lock }: PlanOptions,
  ): Promise<PlannedValues[]> {
    const valid = rows.filter((row): row is ValueImportRowDto => row !== null);
    const finder = await DeviceFinder.for(this.valueImportRepository, reader, caller, { rows: valid, lock });
    const keys = [...new Set(valid.flatMap(({ values }) => Object.keys(values)))];
    const fields = await this.valueImportRepository.fields(reader, caller, keys, lock);
    const deviceIds = finder.devices.map(({ id }) => id);
    const fieldIds = fields.map(({ id }) => id);
    const stored = await this.fieldValuesRepository.stored(reader, deviceIds, fieldIds);
    const present = new Set(stored.map(({ deviceId, fieldId }) => `${deviceId} ${fieldId}`));
    const byKey = new Map(fields.map((field) => [fieldKeyOf(field.partnerId, field.orgId, field.fieldKey), field]));
    const referenced = { finder, fields: byKey, present, mode };
    return rows.map((row) => (row === null ? INVALID : planRow(row, referenced)));
  }
}

/**
 * Everything that the rows refer to, with one query for each kind, because a thousand rows refer to thousands of
 * things.
 */
interface Referenced {
  readonly finder: DeviceFinder;
  readonly fields: ReadonlyMap<string, ImportField>;
  readonly present: ReadonlySet<string>;
  readonly mode: 'skip' | 'overwrite';
}

/** The field of the device's organisation, or else of its partner. */
const fieldFor = (
  { partnerId, orgId }: ImportDevice,
  key: string,
  fields: Referenced['fields'],
): ImportField | undefined =>
  fields.get(fieldKeyOf(partnerId, orgId, key)) ?? fields.get(fieldKeyOf(partnerId, null, key));

function planRow(row: ValueImportRowDto, referenced: Referenced): PlannedValues {
  const found = referenced.finder.find(row);
  if (!found.device) return unresolved(row, found);
  const { outcome, device } = found;
  if (FROZEN_STATUSES.includes(device.organizationStatus))
    return fault('organization_frozen', `This organization is ${device.organizationStatus}.`, device);
  const values: PlannedValue[] = [];
  for (const [key, raw] of Object.entries(row.values)) {
    const field = fieldFor(device, key, referenced.fields);
    const cell = `values.${key.slice(0, MAX_NAMED)}`;
    if (!field) return fault('custom_field_not_found', `${cell}: no such custom field applies to the device.`, device);
    // A blank cell of a sheet leaves the value, as in an import of contacts.
    if (typeof raw === 'string' && raw.trim() === '') continue;
    const value = readImported(field, raw);
    if (value === null) return fault('validation_failed', `${cell}: the value does not fit the field.`, device);
    const kept = referenced.mode === 'skip' && referenced.present.has(`${device.id} ${field.id}`);
    values.push({ fieldId: field.id, value, kept });
  }
  const isApplied = values.every((each) => each.kept);
  return { outcome: isApplied ? 'already-applied' : outcome, device, values, fault: null, row };
}
