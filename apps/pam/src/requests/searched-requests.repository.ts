import { offsetOf } from '@gatehouse/contracts-core';
import type { ListElevationRequestsQuery } from '@gatehouse/contracts-pam';
import { type Conditions, foldedPattern, type Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { PamConfig } from '../pam.config.ts';

type Search = Pick<ListElevationRequestsQuery, 'search' | 'decisionSource' | 'page' | 'limit'>;

export interface Hits {
  readonly ids: readonly string[];
  readonly total: number;
  /** There are older requests, which were not looked through. */
  readonly truncated: boolean;
}

const NAMED = `
  (folded_name(r.device_hostname) LIKE ? OR folded_name(r.subject_username) LIKE ?
    OR folded_name(r.target_executable_path) LIKE ? OR folded_name(r.target_executable_signer) LIKE ?
   OR r.device_id IN (SELECT d.device_id FROM device_ref d WHERE folded_name(d.hostname) LIKE ?))`;

function matching(where: Conditions, { search, decisionSource }: Search): string {
  const pattern = foldedPattern(search);
  const named = pattern === undefined ? 'TRUE' : NAMED.replaceAll('?', where.bind(pattern));
  return decisionSource ? `${named} AND r.decision_source = ${where.bind(decisionSource)}` : named;
}

/**
 * Finds requests by what no index serves: under row security PostgreSQL uses none for `LIKE`, which is not leakproof. A
 * search therefore looks through a bounded number of requests, the newest ones, and reads each once for the total and
 * the page.
 */
@Injectable()
export class SearchedRequestsRepository {
  constructor(private readonly config: PamConfig) {}

  /** @param where the other conditions of the list */
  async find(reader: Reader, where: Conditions, query: Search, order: string): Promise<Hits> {
    const newest = this.config.pamSearchedRequests;
    const matches = matching(where, query);
    const before = Math.min(offsetOf(query), newest + 1);
    const [first, last] = [before + 1, before + query.limit].map((at) => `CAST(${where.bind(at)} AS integer)`);
    const found = await reader.one<{ seen: number; total: number; ids: string[] | null }>(
      `SELECT count(*) AS seen, count(*) FILTER (WHERE r.is_hit) AS total, (array_agg(r.id
        ORDER BY ${order}) FILTER (WHERE r.is_hit))[${first}:${last}] AS ids
         FROM (SELECT r.*, (${matches}) AS is_hit FROM elevation_requests r ${where.where} ORDER BY r.id DESC
           LIMIT ${newest + 1}) r`,
      where.parameters,
    );
    const { seen = 0, total = 0, ids } = found ?? {};
    return { ids: ids ?? [], total, truncated: seen > newest };
  }
}
