import { type AgentCaller, asService, ProblemError } from '@gatehouse/contracts-core';
import {
  DeviceChanged,
  type DeviceState,
  OrganizationChanged,
  type OrganizationState,
} from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { type AgentDevice, AgentDevicesRepository } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { batchedReads } from './micro-batch.ts';

/** The agent as caller, with the facts about its device that handling its reports requires. */
export interface DeviceCaller extends AgentCaller {
  readonly device: AgentDevice;
  /** SHA-256 in hex. */
  readonly tokenHash: string;
}

const MAX_DEVICES = 100_000;
/**
 * How long a cached device is trusted. A revoked token, or a token of an inactive partner, is refused within 5 s even
 * if the event was lost (decisions, "between services").
 */
const TRUST_MS = 4_000;

/** A replaced token works no longer than this. */
const MAX_GRACE_MS = 60_000;

type OrgFacts = Pick<AgentDevice, 'orgStatus' | 'orgDeleted' | 'orgVersion'>;
const NO_ORG: OrgFacts = { orgStatus: null, orgDeleted: null, orgVersion: null };
const NO_TENANT = { ...NO_ORG, partnerActive: null, partnerDeleted: null, editors: [], formerPlaces: null };

/** A token that the agent has replaced works until its time. */
const isPreviousToken = ({ previousTokenHash, previousTokenUntil }: AgentDevice, tokenHash: string): boolean =>
  previousTokenHash === tokenHash && previousTokenUntil !== null && previousTokenUntil.getTime() > Date.now();

const isTokenOf = (device: AgentDevice, tokenHash: string): boolean =>
  !device.deleted && (device.agentTokenHash === tokenHash || isPreviousToken(device, tokenHash));

type PublishedDevice = Omit<AgentDevice, keyof typeof NO_TENANT>;

function deviceOf(state: DeviceState): PublishedDevice {
  const { previousTokenHash = null, previousTokenUntil, agentProtocol = 1 } = state;
  const until = previousTokenUntil ? new Date(previousTokenUntil) : null;
  return { ...state, previousTokenHash, previousTokenUntil: until, agentProtocol };
}

const placesOf = ({ orgId, siteId, groupIds }: PublishedDevice): string => [orgId, siteId, ...groupIds].join();

/** Until the table knows who moved the device, levels bind it wherever it was (PAM-304). */
const formerPlacesOf = (published: PublishedDevice, stored: AgentDevice | null): Partial<AgentDevice> =>
  stored && placesOf(published) !== placesOf(stored) ? { formerPlaces: null } : {};

const tokensOf = ({ agentTokenHash, previousTokenHash }: PublishedDevice): string[] =>
  [agentTokenHash, previousTokenHash].filter((hash) => hash !== null);

/**
 * In-memory cache of the devices whose agents use this instance. The table `device_ref` is authoritative; events only
 * invalidate entries early, so that a new token works and a revoked one fails without waiting for the expiry.
 */
@Injectable()
export class AgentDevices {
  private readonly byToken = new LRUCache<string, AgentDevice>({ max: MAX_DEVICES, ttl: TRUST_MS });
  private readonly tokenOf = new LRUCache<string, string>({ max: MAX_DEVICES });
  private readonly published = new LRUCache<string, PublishedDevice>({ max: MAX_DEVICES });
  private readonly publishedByToken = new LRUCache<string, string>({ max: MAX_DEVICES });
  private readonly orgs = new LRUCache<string, OrganizationState>({ max: MAX_DEVICES });
  /** The new token by device, since it was used and until tenancy has ended the one before. */
  private readonly ended = new LRUCache<string, string>({ max: MAX_DEVICES, ttl: MAX_GRACE_MS });
  private readonly lookUps = batchedReads((tokenHashes: readonly string[]) => this.stored(tokenHashes));

  constructor(
    private readonly devices: AgentDevicesRepository,
    private readonly work: UnitOfWork,
    bus: EventBus,
  ) {
    bus.listen(DeviceChanged, ({ data }) => this.applyDevice(data));
    bus.listen(OrganizationChanged, ({ data }) => this.applyOrganization(data));
  }

  /** Returns the device that the token belongs to now, or null. @param tokenHash SHA-256 in hex */
  async byTokenHash(tokenHash: string): Promise<AgentDevice | null> {
    const known = this.byToken.get(tokenHash);
    if (known && this.isLiving(known, tokenHash)) return known;
    const stored = await this.lookUps.submit(tokenHash);
    const device = this.newest(tokenHash, stored);
    // What the table does not have yet is looked up again: it alone knows where the machine was, and who moved it.
    if (!device || !stored || device.formerPlaces === null) return device;
    this.byToken.set(tokenHash, device);
    this.tokenOf.set(device.deviceId, tokenHash);
    return device;
  }

  /** Whether the token is one that was replaced and is over. @param tokenHash SHA-256 in hex */
  async isReplaced(tokenHash: string): Promise<boolean> {
    const device = await this.lookUps.submit(tokenHash);
    return device !== null && !device.deleted && device.previousTokenHash === tokenHash;
  }

  /** Ends the token before this one at once on this instance; tenancy ends it on the others. */
  endPrevious(device: AgentDevice): void {
    this.ended.set(device.deviceId, device.agentTokenHash ?? '');
    if (device.previousTokenHash) this.byToken.delete(device.previousTokenHash);
  }

  private applyDevice(state: DeviceState): void {
    const known = this.published.get(state.deviceId);
    if (known && known.version >= state.version) return;
    const device = deviceOf(state);
    this.published.set(device.deviceId, device);
    for (const token of tokensOf(device)) this.publishedByToken.set(token, device.deviceId);
    const last = this.tokenOf.get(device.deviceId);
    for (const token of [last, ...(known ? tokensOf(known) : []), ...tokensOf(device)]) {
      if (token) this.byToken.delete(token);
    }
  }

  private applyOrganization(state: OrganizationState): void {
    const known = this.orgs.get(state.orgId);
    if (known && known.version >= state.version) return;
    this.orgs.set(state.orgId, state);
    this.byToken.clear();
  }

  private newest(tokenHash: string, stored: AgentDevice | null): AgentDevice | null {
    const published = this.published.get(stored?.deviceId ?? this.publishedByToken.get(tokenHash) ?? '');
    const isAhead = published && published.version > (stored?.version ?? 0);
    const device = isAhead ? { ...NO_TENANT, ...stored, ...published, ...formerPlacesOf(published, stored) } : stored;
    if (!device || !this.isLiving(device, tokenHash)) return null;
    return { ...device, ...this.orgOf(device, stored) };
  }

  private isLiving(device: AgentDevice, tokenHash: string): boolean {
    const isEnded = device.agentTokenHash !== tokenHash && this.ended.get(device.deviceId) === device.agentTokenHash;
    return !isEnded && isTokenOf(device, tokenHash);
  }

  private orgOf({ orgId }: AgentDevice, stored: AgentDevice | null): OrgFacts {
    const known: OrgFacts = stored?.orgId === orgId ? stored : NO_ORG;
    const published = this.orgs.get(orgId);
    if (published && published.version > (known.orgVersion ?? 0))
      return { orgStatus: published.status, orgDeleted: published.deleted, orgVersion: published.version };
    return { orgStatus: known.orgStatus, orgDeleted: known.orgDeleted, orgVersion: known.orgVersion };
  }

  private async stored(tokenHashes: readonly string[]): Promise<(AgentDevice | null)[]> {
    const found = await this.work.backgroundRead(asService('pam-ingest'), (reader) =>
      this.devices.byTokenHashes(reader, tokenHashes),
    );
    const devices = new Map(found.flatMap((device) => tokensOf(device).map((hash) => [hash, device])));
    return tokenHashes.map((hash) => devices.get(hash) ?? null);
  }
}

export function requireReporting({ device: { orgStatus, partnerActive } }: DeviceCaller): void {
  if (partnerActive === false) throw new ProblemError('partner_inactive', 'The partner of this device is not active.');
  if (orgStatus === 'archived' || orgStatus === 'purging')
    throw new ProblemError('organization_archived', 'The organisation of this device is archived.');
  if (orgStatus === 'merging')
    throw new ProblemError('organization_frozen', 'The organisation of this device is being merged; try again later.');
}
