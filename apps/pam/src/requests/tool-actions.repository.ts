import type { TenantScope } from '@gatehouse/contracts-core';
import type { ElevationStatus } from '@gatehouse/contracts-pam';
import { type Reader, scoped } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ofReadable } from '../tenants/hidden-organizations.repository.ts';
import { SHOWN_STATUS, SITE_NOW } from './request-sql.repository.ts';

export interface ToolActionRow {
  readonly id: string;
  readonly status: ElevationStatus;
  readonly riskTier: number;
  readonly ticket: string | null;
  readonly toolName: string;
  readonly action: string | null;
  readonly actionDigest: string;
  readonly timeoutAt: Date | null;
  readonly expiresAt: Date | null;
}

@Injectable()
export class ToolActionsRepository {
  find(reader: Reader, scope: TenantScope, id: string): Promise<ToolActionRow | null> {
    const within = scoped(scope, { partner: 'r.partner_id', org: 'r.org_id', site: SITE_NOW }, [id]);
    return reader.one<ToolActionRow>(
      `SELECT r.id, ${SHOWN_STATUS} AS status, r.risk_tier, r.ticket, r.tool_name, r.tool_action AS action,
        r.action_digest, r.timeout_at, r.expires_at
       FROM elevation_requests r WHERE r.id = $1 AND r.flow_type = 'ai_tool_action'
         AND ${ofReadable(scope, 'r.org_id')} ${within.and}`,
      within.parameters,
    );
  }
}
