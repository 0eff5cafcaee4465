import type { TenantScope } from '@gatehouse/contracts-core';
import type { DecisionSource, ElevationStatus, FlowType } from '@gatehouse/contracts-pam';
import { type Conditions, type Reader, scoped } from '@gatehouse/database';
import type { Outcome } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { SITE_NOW, STATUS_NOW } from '../requests/request-sql.repository.ts';

export interface HitCount {
  readonly from: Outcome;
  readonly to: Outcome;
  readonly isHeldOtherwise: boolean;
  readonly count: number;
}

export interface ShadowHitRow {
  readonly id: string;
  readonly requestedAt: Date;
  readonly deviceId: string;
  readonly deviceHostname: string;
  readonly flowType: FlowType;
  readonly status: ElevationStatus;
  readonly decisionSource: DecisionSource | null;
  readonly pamRuleId: string | null;
  readonly matchedPolicyId: string | null;
  readonly held: string | null;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly wouldBeHeld: string | null;
}

/** The rule and the time that are reported on. */
export interface HitWindow {
  readonly ruleId: string;
  readonly orgId: string;
  readonly days: number;
  readonly shadowSince: Date | null;
}

const SINCE = 'greatest(now() - make_interval(days => $1), $2::timestamptz) AS since';
/** What was decided at once: a person's decision, and an expiry, come later. */
const DECIDED = `CASE WHEN r.decision_source IS NULL OR r.decision_source = 'human' THEN 'pending' WHEN r.status = 'denied' THEN 'denied' ELSE 'auto_approved' END`;
const HIT = `SELECT r.*, ${DECIDED} AS "from", s.hit->>'outcome' AS "to", s.hit->>'held' AS would_be_held
  FROM elevation_requests r CROSS JOIN LATERAL jsonb_array_elements(r.shadow) AS s(hit)`;
const SAMPLE = 10;

const within = (scope: TenantScope, { ruleId, orgId }: HitWindow, since: Date): Conditions => {
  const where = scoped(scope, { partner: 'r.partner_id', org: 'r.org_id', site: SITE_NOW })
    .add('r.org_id = ?', orgId)
    .add('r.id >= uuid_from_instant(?::timestamptz)', since);
  return where.add('r.shadow @> ?::jsonb', JSON.stringify([{ ruleId }])).add(`s.hit->>'ruleId' = ?`, ruleId);
};

/** What a shadow rule would have made of stored requests. */
@Injectable()
export class ShadowHitsRepository {
  async since(reader: Reader, { days, shadowSince }: HitWindow): Promise<Date> {
    return (await reader.one<{ since: Date }>(`SELECT ${SINCE}`, [days, shadowSince]))!.since;
  }

  /** Counts by what was decided and what would have been. */
  counts(reader: Reader, scope: TenantScope, window: HitWindow, since: Date): Promise<HitCount[]> {
    const where = within(scope, window, since);
    return reader.query<HitCount>(
      `SELECT h."from", h."to", h.held IS DISTINCT FROM h.would_be_held AS is_held_otherwise, count(*) AS count
         FROM (${HIT} ${where.where}) AS h GROUP BY 1, 2, 3`,
      where.parameters,
    );
  }

  async devices(reader: Reader, scope: TenantScope, window: HitWindow, since: Date): Promise<number> {
    const where = within(scope, window, since);
    const counted = await reader.one<{ count: number }>(
      `SELECT count(DISTINCT h.device_id) AS count FROM (${HIT} ${where.where}) AS h`,
      where.parameters,
    );
    return counted?.count ?? 0;
  }

  /** The newest requests that would have been decided otherwise. */
  sample(reader: Reader, scope: TenantScope, window: HitWindow, since: Date): Promise<ShadowHitRow[]> {
    const where = within(scope, window, since);
    return reader.query<ShadowHitRow>(
      `SELECT r.id, r.requested_at, r.device_id, r.device_hostname, r.flow_type, ${STATUS_NOW} AS status,
        r.decision_source,
              r.pam_rule_id, r.matched_policy_id, r.held, r."from", r."to", r.would_be_held
         FROM (${HIT} ${where.where}) AS r WHERE r."from" <> r."to" OR r.held IS DISTINCT FROM r.would_be_held
        ORDER BY r.id DESC LIMIT ${SAMPLE}`,
      where.parameters,
    );
  }

  /** Hits among ignored prompts, which are counted by day for the whole organisation. */
  async ignored(reader: Reader, { ruleId, orgId }: HitWindow, since: Date): Promise<number> {
    const counted = await reader.one<{ hits: number }>(
      `SELECT coalesce(sum(hits), 0)::bigint AS hits FROM pam_shadow_ignored WHERE rule_id = $1 AND org_id = $2
        AND day >= ($3::timestamptz AT TIME ZONE 'UTC')::date`,
      [ruleId, orgId, since],
    );
    return Number(counted?.hits ?? 0);
  }
}
