import { foldName, type UserCaller } from '@gatehouse/contracts-core';
import type { ValueImportRowDto, ValueOutcome } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { indexed } from '../../scope/rows.repository.ts';
import type { ImportDevice, KnownSource, SourceId, ValueImportRepository } from './value-import.repository.ts';

/** The device that a row refers to, or the reason why none was found. */
export type Found =
  | { readonly outcome: 'matched' | 'link-match'; readonly device: ImportDevice }
  | { readonly outcome: Extract<ValueOutcome, 'not-found'>; readonly device: null }
  | { readonly outcome: 'conflict'; readonly device: null; readonly reason: string };

const NOT_FOUND = { outcome: 'not-found', device: null } as const;
const conflict = (reason: string): Found => ({ outcome: 'conflict', device: null, reason });
const MAX_LISTED = 10;
const several = (what: string, ids: readonly string[]): Found =>
  conflict(`${ids.length === 2 ? 'Two' : ids.length} devices have ${what}: ${ids.slice(0, MAX_LISTED).join(', ')}`);

/** @param orgId null for any organisation */
const hostKey = (orgId: string | null, hostname: string): string => JSON.stringify([orgId, foldName(hostname)]);
const sourceKey = ({ sourceSystem, sourceDeviceId }: Partial<SourceId>): string | null =>
  sourceSystem && sourceDeviceId ? JSON.stringify([sourceSystem, sourceDeviceId]) : null;
const hasSource = (row: ValueImportRowDto): row is ValueImportRowDto & SourceId => sourceKey(row) !== null;

/** The organisation of the caller, if the caller reaches exactly one. */
const onlyOrganizationOf = ({ scope: { orgs } }: UserCaller): string | null =>
  orgs !== 'all' && orgs.size === 1 ? ([...orgs][0] ?? null) : null;

/** Resolves import rows to devices: by the recorded source id, or else by a hostname that only one device has. */
export class DeviceFinder {
  private readonly byId: ReadonlyMap<string, ImportDevice>;
  private readonly byHost: ReadonlyMap<string, readonly ImportDevice[]>;
  private readonly bySource: ReadonlyMap<string, readonly KnownSource[]>;

  private constructor(
    readonly devices: readonly ImportDevice[],
    sources: readonly KnownSource[],
    private readonly onlyOrg: string | null,
  ) {
    this.byId = new Map(devices.map((device) => [device.id, device]));
    this.byHost = indexed(devices, ({ orgId, hostname }) => [hostKey(null, hostname), hostKey(orgId, hostname)]);
    this.bySource = indexed(sources, (source) => [sourceKey(source) ?? '']);
  }

  /** @param lock whether to lock the devices until the transaction ends, after waiting for concurrent deletions */
  static async for(
    repository: ValueImportRepository,
    reader: Reader,
    caller: UserCaller,
    { rows, lock }: { readonly rows: readonly ValueImportRowDto[]; readonly lock: boolean },
  ): Promise<DeviceFinder> {
    const sources = await repository.sources(reader, caller, rows.filter(hasSource));
    const hostnames = rows.flatMap(({ hostname }) => (hostname ? [foldName(hostname)] : []));
    const ids = sources.map(({ deviceId }) => deviceId);
    const devices = await repository.devices(reader, caller, { hostnames, ids }, lock);
    return new DeviceFinder(devices, sources, onlyOrganizationOf(caller));
  }

  /**
   * Without an organisation, only links count that were recorded with access to the whole partner: a link that one
   * organisation recorded must not attract another organisation's data.
   */
  find(row: ValueImportRowDto): Found {
    const orgId = row.organizationId ?? this.onlyOrg;
    const recorded = this.recordedFor(row);
    const links = recorded.filter((each) => (orgId ? each.orgId === orgId : each.partnerWide));
    if (links.length > 1)
      return several(
        'this source device id',
        links.map(({ deviceId }) => deviceId),
      );
    const [link] = links;
    return link ? this.linked(link, row) : this.named(row, orgId, recorded);
  }

  private recordedFor(row: ValueImportRowDto): readonly KnownSource[] {
    const key = sourceKey(row);
    return key === null ? [] : (this.bySource.get(key) ?? []);
  }

  private linked({ deviceId }: KnownSource, { hostname }: ValueImportRowDto): Found {
    const device = this.byId.get(deviceId);
    if (!device) return NOT_FOUND;
    const differs = hostname !== undefined && foldName(hostname) !== foldName(device.hostname);
    return differs
      ? conflict('The source device id is recorded for a device with another hostname.')
      : { outcome: 'link-match', device };
  }

  private named({ hostname }: ValueImportRowDto, orgId: string | null, recorded: readonly KnownSource[]): Found {
    const devices = (hostname && this.byHost.get(hostKey(orgId, hostname))) || [];
    if (devices.length > 1)
      return several(
        'this name',
        devices.map(({ id }) => id),
      );
    const [device] = devices;
    if (device) {
      const isTaken = recorded.some((link) => link.orgId === device.orgId && link.deviceId !== device.id);
      return isTaken
        ? conflict('The source device id is recorded for another device.')
        : { outcome: 'matched', device };
    }
    return orgId && recorded.length > 0
      ? conflict('The source device id is recorded in another organisation.')
      : NOT_FOUND;
  }
}
