import type { Decision } from '@gatehouse/pam-domain';
import { LOGGER, type Logger } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const MAX_REMEMBERED = 10_000;
const EVERY_MS = 60_000;

/** Logs rules and policies whose matching exceeded the effort limit, each at most once a minute. */
@Injectable()
export class CostlyRules {
  private readonly named = new LRUCache<string, true>({ max: MAX_REMEMBERED, ttl: EVERY_MS });

  constructor(@Inject(LOGGER) private readonly log: Pick<Logger, 'warn'>) {}

  note(
    { orgId, deviceId }: { readonly orgId: string; readonly deviceId: string },
    { held, costliest }: Decision,
  ): void {
    if (held !== 'effort_exceeded') return;
    const key = `${orgId} ${costliest?.id ?? ''}`;
    if (this.named.has(key)) return;
    this.named.set(key, true);
    this.log.warn({ orgId, deviceId, costliest }, 'matching took too much work; the request waits for a person');
  }
}
