import type { Caller, UserCaller } from '@gatehouse/contracts-core';
import type { Metrics } from '@gatehouse/telemetry';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { BoundName, Limits } from './limits.ts';

const isPerson = (caller: Caller): caller is UserCaller => caller.kind === 'user' || caller.kind === 'api_key';

/**
 * Bounds how many connections for requests a person, a tenant and all people hold at once in this process. Changes of
 * one object wait for each other before they take a connection, so a row lock costs one connection and not all of them.
 * The rest of the pool is for sign-in and for acts that protect, such as a freeze (ADR 12).
 */
export class ConnectionShares {
  private readonly limiters: Readonly<
    Record<Extract<BoundName, `${string}Connections` | `${string}Changes`>, ConcurrencyLimiter>
  >;

  /** @param isUnavailable whether an error says that the database cannot answer now */
  constructor(
    limits: Limits,
    private readonly isUnavailable: (error: unknown) => boolean,
    metrics?: Metrics,
  ) {
    const limiter = (name: BoundName): ConcurrencyLimiter => new ConcurrencyLimiter(limits.bound(name), metrics);
    this.limiters = {
      objectChanges: limiter('objectChanges'),
      collectionChanges: limiter('collectionChanges'),
      callerConnections: limiter('callerConnections'),
      tenantConnections: limiter('tenantConnections'),
      peopleConnections: limiter('peopleConnections'),
      protectiveConnections: limiter('protectiveConnections'),
    };
  }

  /** @throws ProblemError unavailable when nothing before it ends; rate_limited when too much waits already */
  read<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    if (!isPerson(caller)) return work();
    const { callerConnections, tenantConnections, peopleConnections, protectiveConnections } = this.limiters;
    if (caller.protects) return protectiveConnections.during(caller.userId, work);
    const tenant = caller.orgId ?? caller.partnerId ?? 'system';
    return this.stage(callerConnections, caller.userId, () =>
      tenantConnections.during(tenant, () => peopleConnections.during('people', work)),
    );
  }

  /** As {@link read}, after the changes of the same object that came before. */
  write<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    if (!isPerson(caller) || caller.protects || !caller.changes) return this.read(caller, work);
    const { of, isOneObject } = caller.changes;
    const { objectChanges, collectionChanges } = this.limiters;
    return this.stage(isOneObject ? objectChanges : collectionChanges, of, () => this.read(caller, work));
  }

  /** What the database cannot do for one, it cannot do for those who wait for the same: they need not find out. */
  private stage<T>(limiter: ConcurrencyLimiter, subject: string, work: () => Promise<T>): Promise<T> {
    return limiter.during(subject, async () => {
      try {
        return await work();
      } catch (error) {
        if (this.isUnavailable(error)) limiter.refuseWaiting(subject);
        throw error;
      }
    });
  }
}
