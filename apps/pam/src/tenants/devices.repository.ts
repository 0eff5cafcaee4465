import type { TenantScope } from '@gatehouse/contracts-core';
import type { DeviceStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped } from '@gatehouse/database';
import type { RuleEditor } from '@gatehouse/pam-domain';
import { DEVICE_EDITORS, editorOf, type EditRow, FORMER_PLACES } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { ofReadable } from './hidden-organizations.repository.ts';

export interface Device {
  readonly deviceId: string;
  readonly orgId: string;
  readonly partnerId: string;
  readonly siteId: string;
  readonly groupIds: readonly string[];
  readonly formerPlaces: readonly string[];
  readonly hostname: string;
  readonly status: DeviceStatus;
  /** Who moved it or changed its groups within 30 days. */
  readonly editors: readonly RuleEditor[];
}

type Stored = Omit<Device, 'editors'> & { readonly editors: readonly EditRow[] };

@Injectable()
export class DevicesRepository {
  /** Finds a device in the caller's tenant, at any site. */
  async find(reader: Reader, scope: TenantScope, id: string): Promise<Device | null> {
    const within = scoped(scope, { partner: 'd.partner_id', org: 'd.org_id' }, [id]);
    const row = await reader.one<Stored>(
      `SELECT d.device_id, d.org_id, d.partner_id, d.site_id, d.group_ids, d.hostname, d.status,
         ${DEVICE_EDITORS} AS editors, ${FORMER_PLACES} AS former_places
         FROM device_ref d WHERE d.device_id = $1 AND NOT d.deleted AND ${ofReadable(scope, 'd.org_id')} ${within.and}`,
      within.parameters,
    );
    return row && { ...row, editors: row.editors.map(editorOf) };
  }
}
