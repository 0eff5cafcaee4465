import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CustomFieldResponse } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { oneInReach } from '../scope/owner.ts';

export const CUSTOM_FIELD_COLUMNS = `id, org_id, CASE WHEN org_id IS NULL THEN 'partner' ELSE 'organization' END AS owner_scope, name, field_key, type, options, created_at, updated_at`;

export interface CustomFieldRow extends CustomFieldResponse {
  readonly partnerId: string;
}

export const customFieldView = ({ partnerId: _, ...field }: CustomFieldRow): CustomFieldResponse => field;
export const fieldNotFound = (): ProblemError => new ProblemError('custom_field_not_found', 'Custom field not found.');
export const fieldKeyTaken = (): ProblemError =>
  new ProblemError('name_taken', 'This owner has a field with this key.');

export const fieldProblems = {
  custom_field_options_for_dropdowns: () =>
    new ProblemError('validation_failed', 'The request is not valid.', {
      issues: [{ path: 'options', message: 'a dropdown needs options, and only a dropdown has them' }],
    }),
};

/** @throws ProblemError custom_field_not_found */
export async function findField(reader: Reader, caller: UserCaller, id: string): Promise<CustomFieldRow> {
  const { where, parameters } = oneInReach(caller, id);
  const field = await reader.one<CustomFieldRow>(
    `SELECT ${CUSTOM_FIELD_COLUMNS}, partner_id FROM custom_fields ${where}`,
    parameters,
  );
  if (!field) throw fieldNotFound();
  return field;
}
