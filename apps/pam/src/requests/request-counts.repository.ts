import type { Conditions, Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** The cached count of requests that can no longer change. */
interface Settled {
  /** The first id not included in the count. */
  readonly boundary: string;
  readonly count: number;
}

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 5_000;
/** A request waits a day at most and its window lasts a day at most; the rest allows for the sweep. */
const SETTLED_AFTER = '50 hours';

/** Counts a list without scanning the whole history each time: the count of settled requests is cached for a minute. */
@Injectable()
export class RequestCountsRepository {
  private readonly settled = new LRUCache<string, Settled>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

  /** @param where all conditions of the list, including the caller's scope; they are the key of the cached count */
  async count(reader: Reader, where: Conditions): Promise<number> {
    const key = JSON.stringify([where.where, where.parameters]);
    const known = this.settled.get(key);
    return known ? known.count + (await this.since(reader, where, known.boundary)) : this.both(reader, where, key);
  }

  private async since(reader: Reader, where: Conditions, boundary: string): Promise<number> {
    const counted = await reader.one<{ count: number }>(
      `SELECT count(*) AS count FROM elevation_requests r
        WHERE r.id >= $${where.parameters.length + 1}::uuid ${where.and}`,
      [...where.parameters, boundary],
    );
    return counted?.count ?? 0;
  }

  private async both(reader: Reader, where: Conditions, key: string): Promise<number> {
    const counted = await reader.one<Settled & { recent: number }>(
      `SELECT b.id AS boundary, (SELECT count(*) FROM elevation_requests r
        WHERE r.id < b.id ${where.and}) AS count, (SELECT count(*) FROM elevation_requests r
        WHERE r.id >= b.id ${where.and}) AS recent
       FROM (SELECT uuid_from_instant(now() - interval '${SETTLED_AFTER}') AS id) b`,
      where.parameters,
    );
    if (!counted) return 0;
    const { recent, ...settled } = counted;
    this.settled.set(key, settled);
    return settled.count + recent;
  }
}
