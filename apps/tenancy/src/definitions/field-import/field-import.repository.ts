import type { UserCaller } from '@gatehouse/contracts-core';
import type { FieldImportRowDto } from '@gatehouse/contracts-tenancy';
import { onConstraint, type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ownedInReach } from '../../scope/owner.ts';
import { type CustomFieldEntity, optionsMismatch } from '../custom-fields.repository.ts';

const UPDATE = 'UPDATE custom_fields SET name = $2, options = $3 WHERE id = $1';

export type KnownField = Pick<CustomFieldEntity, 'id' | 'orgId' | 'fieldKey' | 'type'>;

@Injectable()
export class FieldImportRepository {
  /** The fields in reach that have one of the keys. */
  known(reader: Reader, caller: UserCaller, keys: readonly string[]): Promise<KnownField[]> {
    const { where, parameters } = ownedInReach(caller).add('field_key = ANY (?::text[])', keys);
    return reader.query<KnownField>(`SELECT id, org_id, field_key, type FROM custom_fields ${where}`, parameters);
  }

  /** Those of the organisations that are in the caller's reach. */
  async organizationsInReach(reader: Reader, caller: UserCaller, ids: readonly string[]): Promise<Set<string>> {
    const { where, parameters } = scoped(caller.scope, { partner: 'partner_id', org: 'id' })
      .add('id = ANY (?::uuid[])', ids)
      .raw('deleted_at IS NULL');
    const organizations = await reader.query<{ id: string }>(`SELECT id FROM organizations ${where}`, parameters);
    return new Set(organizations.map(({ id }) => id));
  }

  /** Updates a field from a row of an import. The caller must have checked the owner. */
  async update(tx: Tx, id: string, { name, options = [] }: FieldImportRowDto): Promise<void> {
    const mismatch = onConstraint({ custom_field_options_for_dropdowns: optionsMismatch });
    await tx.query(UPDATE, [id, name, options]).catch(mismatch);
  }
}
