import type { UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationStatus, ValueImportRowDto, ValueOutcome } from '@gatehouse/contracts-tenancy';
import { type Reader, scoped } from '@gatehouse/database';
import { devicesInReach } from '../../devices/device.view.ts';
import { indexed } from '../../rows/indexed.ts';

export interface ImportDevice {
  readonly id: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly hostname: string;
  readonly organizationStatus: OrganizationStatus;
}

interface Link {
  readonly deviceId: string;
  readonly orgId: string;
  readonly sourceSystem: string;
  readonly sourceDeviceId: string;
  readonly partnerWide: boolean;
}

type SourceId = Pick<ValueImportRowDto, 'sourceSystem' | 'sourceDeviceId'>;

/** The device that a row refers to, or the reason why none was found. */
export type Found =
  | { readonly outcome: 'matched' | 'link-match'; readonly device: ImportDevice }
  | { readonly outcome: Extract<ValueOutcome, 'ambiguous' | 'not-found'>; readonly device: null }
  | { readonly outcome: 'conflict'; readonly device: null; readonly reason: string };

const AMBIGUOUS = { outcome: 'ambiguous', device: null } as const;
const NOT_FOUND = { outcome: 'not-found', device: null } as const;
const conflict = (reason: string): Found => ({ outcome: 'conflict', device: null, reason });

const lower = (text: string): string => text.trim().toLowerCase();
/** @param orgId null for any organisation */
const hostKey = (orgId: string | null, hostname: string): string => JSON.stringify([orgId, lower(hostname)]);
const sourceKey = ({ sourceSystem, sourceDeviceId }: SourceId): string | null =>
  sourceSystem && sourceDeviceId ? JSON.stringify([sourceSystem, sourceDeviceId]) : null;

/** The organisation of the caller, if the caller reaches exactly one. */
const onlyOrganizationOf = ({ scope: { orgs } }: UserCaller): string | null =>
  orgs !== 'all' && orgs.size === 1 ? ([...orgs][0] ?? null) : null;

function linksOf(reader: Reader, caller: UserCaller, rows: readonly SourceId[]): Promise<Link[]> {
  const named = rows.filter((row) => sourceKey(row) !== null);
  const conditions = scoped(caller.scope, { partner: 's.partner_id', org: 's.org_id' });
  const systems = conditions.bind(named.map(({ sourceSystem }) => sourceSystem));
  const ids = conditions.bind(named.map(({ sourceDeviceId }) => sourceDeviceId));
  const { where, parameters } = conditions.raw(
    `(s.source_system, s.source_device_id) IN (SELECT * FROM unnest(${systems}::text[], ${ids}::text[]))`,
  );
  const sql = `
    SELECT s.device_id, s.org_id, s.source_system, s.source_device_id, s.partner_wide
      FROM device_sources s JOIN devices d ON d.id = s.device_id AND d.status <> 'decommissioned' ${where}`;
  return reader.query<Link>(sql, parameters);
}

/** Resolves import rows to devices: by the recorded source id, or else by a hostname that only one device has. */
export class DeviceFinder {
  private readonly byId: ReadonlyMap<string, ImportDevice>;
  private readonly byHost: ReadonlyMap<string, readonly ImportDevice[]>;
  private readonly bySource: ReadonlyMap<string, readonly Link[]>;

  private constructor(
    readonly devices: readonly ImportDevice[],
    links: readonly Link[],
    private readonly onlyOrg: string | null,
  ) {
    this.byId = new Map(devices.map((device) => [device.id, device]));
    this.byHost = indexed(devices, ({ orgId, hostname }) => [hostKey(null, hostname), hostKey(orgId, hostname)]);
    this.bySource = indexed(links, (link) => [sourceKey(link) ?? '']);
  }

  /** @param hold whether to lock the devices until the transaction ends, after waiting for concurrent deletions */
  static async for(
    reader: Reader,
    caller: UserCaller,
    rows: readonly ValueImportRowDto[],
    hold: boolean,
  ): Promise<DeviceFinder> {
    const links = await linksOf(reader, caller, rows);
    const conditions = devicesInReach(caller).raw(`d.status <> 'decommissioned'`);
    const names = conditions.bind(rows.flatMap(({ hostname }) => (hostname ? [lower(hostname)] : [])));
    const ids = conditions.bind(links.map(({ deviceId }) => deviceId));
    const { where, parameters } = conditions.raw(
      `(lower(d.hostname) = ANY (${names}::text[]) OR d.id = ANY (${ids}::uuid[]))`,
    );
    const sql = `
      SELECT d.id, d.partner_id, d.org_id, d.hostname, o.status AS organization_status
        FROM devices d JOIN organizations o ON o.id = d.org_id AND o.deleted_at IS NULL
       ${where} ORDER BY d.id ${hold ? 'FOR KEY SHARE OF d' : ''}`;
    return new DeviceFinder(await reader.query<ImportDevice>(sql, parameters), links, onlyOrganizationOf(caller));
  }

  /**
   * Without an organisation, only links count that were recorded with access to the whole partner: a link that one
   * organisation recorded must not attract another organisation's data.
   */
  find(row: ValueImportRowDto): Found {
    const orgId = row.organizationId ?? this.onlyOrg;
    const recorded = this.recordedFor(row);
    const [link, another] = recorded.filter((each) => (orgId ? each.orgId === orgId : each.partnerWide));
    if (another) return AMBIGUOUS;
    return link ? this.linked(link, row) : this.named(row, orgId, recorded);
  }

  private recordedFor(row: SourceId): readonly Link[] {
    const key = sourceKey(row);
    return key === null ? [] : (this.bySource.get(key) ?? []);
  }

  private linked({ deviceId }: Link, { hostname }: ValueImportRowDto): Found {
    const device = this.byId.get(deviceId);
    if (!device) return NOT_FOUND;
    const differs = hostname !== undefined && lower(hostname) !== lower(device.hostname);
    return differs
      ? conflict('The source device id is recorded for a device with another hostname.')
      : { outcome: 'link-match', device };
  }

  private named({ hostname }: ValueImportRowDto, orgId: string | null, recorded: readonly Link[]): Found {
    const [device, another] = (hostname && this.byHost.get(hostKey(orgId, hostname))) || [];
    if (another) return AMBIGUOUS;
    if (device) {
      const isTaken = recorded.some((link) => link.orgId === device.orgId && link.deviceId !== device.id);
      return isTaken
        ? conflict('The source device id is recorded for another device.')
        : { outcome: 'matched', device };
    }
    return orgId && recorded.length > 0
      ? conflict('The source device id is recorded in another organization.')
      : NOT_FOUND;
  }
}
