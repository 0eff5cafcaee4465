import type { TenantScope } from '@gatehouse/contracts-core';
import type { DeviceStatus } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ofReadable } from '../organizations/hidden-organizations.repository.ts';

export interface Device {
  readonly deviceId: string;
  readonly orgId: string;
  readonly partnerId: string;
  readonly siteId: string;
  readonly groupIds: readonly string[];
  readonly hostname: string;
  readonly status: DeviceStatus;
}

@Injectable()
export class DevicesRepository {
  /** Finds a device in the caller's tenant, at any site. */
  find(reader: Reader, scope: TenantScope, id: string): Promise<Device | null> {
    const within = scoped(scope, { partner: 'partner_id', org: 'org_id' }, [id]);
    return reader.one<Device>(
      `SELECT device_id, org_id, partner_id, site_id, group_ids, hostname, status FROM device_ref WHERE device_id = $1
        AND NOT deleted AND ${ofReadable(scope, 'device_ref.org_id')} ${within.and}`,
      within.parameters,
    );
  }
}
