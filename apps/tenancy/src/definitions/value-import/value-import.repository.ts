import type { UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped, type Tx } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ownedInReach } from '../../scope/owner.ts';
import type { CustomFieldEntity, DevicePlace } from '../custom-fields.repository.ts';

/** The id of a device in another system, recorded at the first import so that the next one finds the same device. */
@Entity('device_sources')
export class DeviceSourceEntity {
  @Column('uuid') partnerId!: string;
  @PrimaryColumn('varchar') sourceSystem!: string;
  @PrimaryColumn('varchar') sourceDeviceId!: string;
  @Column('uuid') deviceId!: string;
  @PrimaryColumn('uuid') orgId!: string;
  @Column('timestamptz', { default: () => 'now()' }) createdAt!: Date;
  /** Recorded by an import for the whole partner; such a record counts in every organisation. */
  @Column('boolean', { default: () => 'false' }) partnerWide!: boolean;
}

const LOCK_ORGANIZATIONS = 'SELECT id FROM organizations WHERE id = ANY ($1::uuid[]) ORDER BY id FOR SHARE';
// If two rows have the same source id, the earlier row wins. The link of a device in service stays, and can only become
// one of the whole partner; another device takes over the link of a decommissioned one.
const INSERT_SOURCES = `
  INSERT INTO device_sources AS known (device_id, partner_id, org_id, source_system, source_device_id, partner_wide)
  SELECT DISTINCT ON (v->>'orgId', v->>'sourceSystem', v->>'sourceDeviceId')
         (v->>'deviceId')::uuid, (v->>'partnerId')::uuid, (v->>'orgId')::uuid, v->>'sourceSystem', v->>'sourceDeviceId',
           $2::boolean
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r(v, position)
   ORDER BY v->>'orgId', v->>'sourceSystem', v->>'sourceDeviceId', position
  ON CONFLICT (org_id, source_system, source_device_id)
    DO UPDATE SET device_id = EXCLUDED.device_id, partner_wide = EXCLUDED.partner_wide
   WHERE EXCLUDED.partner_wide AND NOT known.partner_wide AND known.device_id = EXCLUDED.device_id
      OR EXISTS (SELECT FROM devices d WHERE d.id = known.device_id AND d.status = 'decommissioned')`;

export type SourceId = Pick<DeviceSourceEntity, 'sourceSystem' | 'sourceDeviceId'>;
export type KnownSource = SourceId & Pick<DeviceSourceEntity, 'deviceId' | 'orgId' | 'partnerWide'>;
export type ImportField = Pick<CustomFieldEntity, 'id' | 'partnerId' | 'orgId' | 'fieldKey' | 'type' | 'options'>;

export interface ImportDevice {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly hostname: string;
  readonly organizationStatus: OrganizationStatus;
}

/** What the rows of an import refer to, with one query for each kind. */
@Injectable()
export class ValueImportRepository {
  /** Sources of devices in service. */
  sources(reader: Reader, caller: UserCaller, wanted: readonly SourceId[]): Promise<KnownSource[]> {
    const conditions = scoped(caller.scope, { partner: 's.partner_id', org: 's.org_id' });
    const systems = conditions.bind(wanted.map(({ sourceSystem }) => sourceSystem));
    const ids = conditions.bind(wanted.map(({ sourceDeviceId }) => sourceDeviceId));
    const { where, parameters } = conditions.raw(
      `(s.source_system, s.source_device_id) IN (SELECT * FROM unnest(${systems}::text[], ${ids}::text[]))`,
    );
    const sql = `
      SELECT s.device_id, s.org_id, s.source_system, s.source_device_id, s.partner_wide
        FROM device_sources s JOIN devices d ON d.id = s.device_id AND d.status <> 'decommissioned' ${where}`;
    return reader.query<KnownSource>(sql, parameters);
  }

  /**
   * Devices in service, by folded hostname or by id.
   * @param lock whether to lock the devices until the transaction ends, after waiting for concurrent deletions
   */
  devices(
    reader: Reader,
    caller: UserCaller,
    wanted: { readonly hostnames: readonly string[]; readonly ids: readonly string[] },
    lock: boolean,
  ): Promise<ImportDevice[]> {
    const conditions = scoped(caller.scope, { partner: 'd.partner_id', org: 'd.org_id', site: 'd.site_id' }).raw(
      `d.status <> 'decommissioned'`,
    );
    const names = conditions.bind(wanted.hostnames);
    const ids = conditions.bind(wanted.ids);
    const { where, parameters } = conditions.raw(
      `(d.folded_hostname = ANY (${names}::text[]) OR d.id = ANY (${ids}::uuid[]))`,
    );
    const sql = `
      SELECT d.id, d.partner_id, d.org_id, d.hostname, o.status AS organization_status
        FROM devices d JOIN organizations o ON o.id = d.org_id AND o.deleted_at IS NULL
       ${where} ORDER BY d.id ${lock ? 'FOR KEY SHARE OF d' : ''}`;
    return reader.query<ImportDevice>(sql, parameters);
  }

  /** @param lock as for {@link devices} */
  fields(reader: Reader, caller: UserCaller, keys: readonly string[], lock: boolean): Promise<ImportField[]> {
    const { where, parameters } = ownedInReach(caller).add('field_key = ANY (?::text[])', keys);
    const sql = `SELECT id, partner_id, org_id, field_key, type, options FROM custom_fields ${where}
      ORDER BY id ${lock ? 'FOR SHARE' : ''}`;
    return reader.query<ImportField>(sql, parameters);
  }

  /** Locks the organisations until the values are stored. */
  async lockOrganizations(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(LOCK_ORGANIZATIONS, [ids]);
  }

  async insertSources(tx: Tx, sources: readonly (DevicePlace & SourceId)[], partnerWide: boolean): Promise<void> {
    await tx.query(INSERT_SOURCES, [JSON.stringify(sources), partnerWide]);
  }
}
