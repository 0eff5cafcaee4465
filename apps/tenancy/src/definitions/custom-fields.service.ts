import { invalid, type Page, partUpdates, ProblemError, requireSame, type UserCaller } from '@gatehouse/contracts-core';
import type {
  CreateCustomFieldDto,
  CustomFieldQuery,
  CustomFieldResponse,
  FieldValueRecord,
  FieldValuesDto,
  UpdateCustomFieldDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { type FieldValue, storedValue } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../devices/devices.repository.ts';
import { requireOwner } from '../scope/owner.ts';
import { type AppliedField, CustomFieldsRepository, FieldValuesRepository } from './custom-fields.repository.ts';

function auditFieldChange(
  tx: Tx,
  action: 'custom_field.create' | 'custom_field.update' | 'custom_field.delete',
  { id, name, partnerId, orgId }: CustomFieldResponse,
  details: Readonly<Record<string, unknown>> = {},
): void {
  tx.audit({ action, partnerId, orgId, resource: { type: 'custom_field', id, name }, details });
}

/** Key and type cannot change, because stored values depend on them. */
const FIXED = ['fieldKey', 'type', 'ownerScope', 'orgId', 'partnerId'] as const;

@Injectable()
export class CustomFieldsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly customFieldsRepository: CustomFieldsRepository,
  ) {}

  list(caller: UserCaller, query: CustomFieldQuery): Promise<Page<CustomFieldResponse>> {
    return this.work.read(caller, (reader) => this.customFieldsRepository.list(reader, caller, query));
  }

  get(caller: UserCaller, id: string): Promise<CustomFieldResponse> {
    return this.work.read(caller, (reader) => this.customFieldsRepository.get(reader, caller, id));
  }

  create(caller: UserCaller, draft: CreateCustomFieldDto): Promise<CustomFieldResponse> {
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const id = await this.customFieldsRepository.insert(tx, await requireOwner(tx, caller, draft), draft);
      if (id === null) throw new ProblemError('name_taken', 'This owner already has a field with this key.');
      const field = await this.customFieldsRepository.get(tx, caller, id);
      auditFieldChange(tx, 'custom_field.create', field, { type: field.type });
      return field;
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateCustomFieldDto): Promise<CustomFieldResponse> {
    const { updates, named } = partUpdates(patch, FIXED);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      requireSame(named, await this.customFieldsRepository.getWritable(tx, caller, id));
      await this.customFieldsRepository.update(tx, caller, id, updates);
      const field = await this.customFieldsRepository.get(tx, caller, id);
      auditFieldChange(tx, 'custom_field.update', field, { changedFields: Object.keys(updates) });
      return field;
    });
  }

  /** Deletes the field with all its values. */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const field = await this.customFieldsRepository.getWritable(tx, caller, id);
      await this.customFieldsRepository.delete(tx, caller, id);
      auditFieldChange(tx, 'custom_field.delete', field);
    });
  }
}

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
    if (changedFields.length === 0) throw new ProblemError('no_updates_provided');
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
