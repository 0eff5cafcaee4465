import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { FieldValueRecord, FieldValuesDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { type FieldValue, storedValue } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../../devices/devices.repository.ts';
import { type AppliedField, FieldValuesRepository } from './field-values.repository.ts';

const fieldValueView = ({ fieldId, fieldKey, name, type, value }: AppliedField): FieldValueRecord => ({
  fieldId,
  fieldKey,
  name,
  type,
  value: value ?? null,
});

interface Change {
  readonly fieldId: string;
  readonly value: FieldValue | null;
}

/** A field of the organisation takes precedence over the partner's field with the same key. */
function changeOf(fields: readonly AppliedField[], key: string, value: unknown): Change {
  const field = fields.find(({ fieldKey }) => fieldKey === key);
  if (!field)
    throw new ProblemError('custom_field_not_found', `No custom field "${key.slice(0, 100)}" applies to this device.`);
  const { fieldId, type, options } = field;
  if (value === null) return { fieldId, value };
  const stored = storedValue(field, value);
  if (stored === null)
    throw invalid(`values.${key}`, `must be a ${type}${type === 'dropdown' ? ` option: ${options.join(', ')}` : ''}`);
  return { fieldId, value: stored };
}

@Injectable()
export class CustomFieldValuesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
    private readonly fieldValuesRepository: FieldValuesRepository,
  ) {}

  /** Returns every field that applies to the device, with its value or null. */
  list(caller: UserCaller, deviceId: string): Promise<FieldValueRecord[]> {
    return this.work.read(caller, async (reader) => {
      await this.devicesRepository.requireReadable(reader, caller, deviceId);
      return (await this.fieldValuesRepository.ofDevice(reader, deviceId)).map(fieldValueView);
    });
  }

  update(caller: UserCaller, deviceId: string, { values }: FieldValuesDto): Promise<FieldValueRecord[]> {
    const changedFields = Object.keys(values);
    if (changedFields.length === 0) throw new ProblemError('no_updates_provided', 'No updates provided.');
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { partnerId, orgId, siteId, hostname } = await this.devicesRepository.lock(tx, caller, deviceId);
      const fields = await this.fieldValuesRepository.ofDevice(tx, deviceId);
      const changes = Object.entries(values).map(([key, value]) => changeOf(fields, key, value));
      await this.fieldValuesRepository.set(tx, { deviceId, partnerId, orgId }, changes);
      tx.audit({
        action: 'custom_field.values.update',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'device', id: deviceId, name: hostname },
        details: { changedFields },
      });
      return (await this.fieldValuesRepository.ofDevice(tx, deviceId)).map(fieldValueView);
    });
  }
}
