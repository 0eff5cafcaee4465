import { ProblemError } from '@gatehouse/contracts-core';
import type { SignedOfflineRules } from '@gatehouse/contracts-identity';
import type { OfflineRulesResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { offlineRulesOf, type RulebookSource } from '@gatehouse/pam-domain';
import { type OrgOfPartner, RulebookRepository } from '@gatehouse/pam-store';
import { type Bound, ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { requireReporting } from '../agents/agent-devices.ts';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { ReadRulebook } from '../rulebooks/rulebooks.ts';
import { OfflineDocuments } from './offline-documents.ts';

/** Documents of one organisation that are made at once: each may take half a megabyte. */
const UNDER_WAY: Bound = { name: 'offline-rules', max: 2, waiting: 256, timeoutMs: 5_000 };
const RETRY_SECONDS = 5;

/** The rules of organisations whose agents fetch them now: after a change, all devices of an organisation do. */
@Injectable()
export class RulebookSources {
  private readonly sources = new LRUCache<string, Promise<RulebookSource>>({ max: MAX_ORGS, ttl: KEPT_MS });

  constructor(private readonly readRulebook: ReadRulebook) {}

  /** @param version the version that the rules must have at least; null while there is none */
  async atLeast(version: number | null, { orgId, partnerId }: OrgOfPartner): Promise<RulebookSource> {
    const known = await this.sources.get(orgId)?.catch(() => null);
    if (known && version !== null && known.version >= version) return known;
    const reading = this.readRulebook.read({ orgId, partnerId });
    this.sources.set(orgId, reading);
    return reading;
  }
}

/** The rules that an agent applies while it is offline, signed for its device (PAM-97). */
@Injectable()
export class GetOfflineRules {
  private readonly limiter = new ConcurrencyLimiter(UNDER_WAY);

  constructor(
    private readonly work: UnitOfWork,
    private readonly rulebooks: RulebookRepository,
    private readonly rulebookSources: RulebookSources,
    private readonly documents: OfflineDocuments,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** @throws ProblemError unavailable while the document cannot be signed; it is never given away without */
  async get(caller: DeviceCaller): Promise<OfflineRulesResponse> {
    requireReporting(caller);
    const version = await this.work.read(caller, (reader) => this.rulebooks.version(reader, caller.orgId));
    const known = version === null ? null : this.documents.get(caller.deviceId, stateOf(caller, version));
    if (known && version !== null) return responseOf(known, version);
    return this.limiter.during(caller.orgId, () => this.make(caller, version));
  }

  private async make(caller: DeviceCaller, version: number | null): Promise<OfflineRulesResponse> {
    const { device, deviceId } = caller;
    const source = await this.rulebookSources.atLeast(version, device);
    const question = { deviceId, ruleSet: offlineRulesOf(source, device) };
    try {
      const document = await this.documents.sign(question, stateOf(caller, source.version));
      return responseOf(document, source.version);
    } catch (error) {
      this.log.warn({ err: error, deviceId }, 'the offline rules of a device could not be signed');
      throw new ProblemError('unavailable', 'The rules cannot be signed at the moment; try again.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
  }
}

/** The version of the device counts its moves to other sites, organisations and groups. */
const stateOf = ({ orgId, device }: DeviceCaller, version: number): string => `${orgId} ${version} ${device.version}`;

function responseOf({ jws, expiresAt }: SignedOfflineRules, rulebookVersion: number): OfflineRulesResponse {
  const validForMs = Date.parse(expiresAt) - Date.now();
  return { jws, rulebookVersion, expiresAt, validForSeconds: Math.max(0, Math.floor(validForMs / 1000)) };
}

const MAX_ORGS = 20;
const KEPT_MS = 30_000;
