import type { RulebookSource } from '@gatehouse/pam-domain';
import type { OrgOfPartner } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReadRulebook } from '../rulebooks/read-rulebook.ts';

const MAX_ORGS = 20;
const KEPT_MS = 30_000;

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
