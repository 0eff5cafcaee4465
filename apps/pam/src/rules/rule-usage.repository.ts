import type { TenantScope } from '@gatehouse/contracts-core';
import { Conditions, type Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

export interface UsageRow {
  readonly ruleId: string;
  readonly matches: number;
  readonly lastMatchedAt: Date | null;
}

@Injectable()
export class RuleUsageRepository {
  /** The use of each rule within the days up to today, in the order of the rules. */
  usage(reader: Reader, { sites }: TenantScope, orgId: string, windowDays: number): Promise<UsageRow[]> {
    const where = new Conditions().add('r.org_id = ?', orgId);
    if (sites !== 'all') where.add('(r.site_id IS NULL OR r.site_id = ANY (?::uuid[]))', [...sites]);
    return reader.query<UsageRow>(
      `SELECT r.id AS rule_id, coalesce(u.matches, 0)::int AS matches, u.last_matched_at
         FROM pam_rules r
        CROSS JOIN LATERAL (SELECT sum(matches) AS matches, max(last_matched_at) AS last_matched_at FROM pam_rule_usage
                             WHERE rule_id = r.id
                               AND day > (now() AT TIME ZONE 'UTC')::date - ${where.bind(windowDays)}::integer) u
        ${where.where} ORDER BY r.priority, r.created_at, r.id`,
      where.parameters,
    );
  }
}
