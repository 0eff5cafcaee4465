import type { Conditions, Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

/** The count of what no longer changes. */
interface Settled {
  /** The first id that is not counted here. */
  readonly boundary: string;
  readonly count: number;
}

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 5_000;
/** The longest wait and the longest window are a day each; the sweep comes after. */
const SETTLED_AFTER = '50 hours';

/**
 * Counts a list without walking through all of history each time: of what is settled, the count is remembered for a
 * minute.
 */
@Injectable()
export class RequestCountsRepository {
  private readonly settled = new LRUCache<string, Settled>({ max: MAX_REMEMBERED, ttl: REMEMBERED_MS });

  /**
   * @param where all that the list asks for, the caller's scope included: what is remembered is remembered for just
   * that
   */
  async count(reader: Reader, where: Conditions): Promise<number> {
    const key = JSON.stringify([where.where, where.parameters]);
    const known = this.settled.get(key);
    return known ? known.count + (await this.since(reader, where, known.boundary)) : this.both(reader, where, key);
  }

  private async since(reader: Reader, where: Conditions, boundary: string): Promise<number> {
    const counted = await reader.one<{ count: number }>(
      `SELECT count(*) AS count FROM elevation_requests r WHERE r.id >= $${where.parameters.length + 1}::uuid ${where.and}`,
      [...where.parameters, boundary],
    );
    return counted?.count ?? 0;
  }

  private async both(reader: Reader, where: Conditions, key: string): Promise<number> {
    const counted = await reader.one<Settled & { recent: number }>(
      `SELECT b.id AS boundary, (SELECT count(*) FROM elevation_requests r WHERE r.id < b.id ${where.and}) AS count, (SELECT count(*) FROM elevation_requests r WHERE r.id >= b.id ${where.and}) AS recent
       FROM (SELECT uuid_from_instant(now() - interval '${SETTLED_AFTER}') AS id) b`,
      where.parameters,
    );
    if (!counted) return 0;
    const { recent, ...settled } = counted;
    this.settled.set(key, settled);
    return settled.count + recent;
  }
}
