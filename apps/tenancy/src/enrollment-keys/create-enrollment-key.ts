import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateEnrollmentKeyDto, IssuedEnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { returned } from '../rows/assignments.ts';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { ENROLLMENT_KEY_COLUMNS, type EnrollmentKeyRow, enrollmentKeyView, newKey } from './enrollment-key.view.ts';

const DEFAULT_TTL_MINUTES = 30 * 24 * 60;

const INSERT = `
  INSERT INTO enrollment_keys (id, partner_id, org_id, site_id, name, key, max_usage, expires_at, created_by)
  VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, now() + $9 * interval '1 minute'), $10) RETURNING ${ENROLLMENT_KEY_COLUMNS}, partner_id`;

const siteNotInOrg = {
  enrollment_key_site_in_organization: () =>
    new ProblemError('site_not_in_org', 'The site does not belong to this organization.'),
};

@Injectable()
export class CreateEnrollmentKey {
  constructor(private readonly work: UnitOfWork) {}

  /** @throws ProblemError organization_not_found, organization_frozen, site_not_in_org, site_access_denied */
  execute(caller: UserCaller, draft: CreateEnrollmentKeyDto): Promise<IssuedEnrollmentKeyResponse> {
    if (draft.expiresAt && draft.ttlMinutes) throw invalid('ttlMinutes', 'give either expiresAt or ttlMinutes');
    requireSiteInReach(caller, draft.siteId);
    const { key, hash } = newKey();
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const { id: orgId, partnerId } = await requireWritable(tx, caller, draft.orgId);
      const values = [
        newId(),
        partnerId,
        orgId,
        draft.siteId,
        draft.name,
        hash,
        draft.maxUsage,
        draft.expiresAt,
        draft.ttlMinutes ?? DEFAULT_TTL_MINUTES,
        caller.userId,
      ];
      const row = returned(await tx.one<EnrollmentKeyRow>(INSERT, values).catch(onConstraint(siteNotInOrg)));
      tx.audit({
        action: 'enrollment_key.create',
        partnerId,
        orgId,
        siteId: row.siteId,
        resource: { type: 'enrollment_key', id: row.id, name: row.name },
        details: { maxUsage: row.maxUsage, expiresAt: row.expiresAt },
      });
      return { ...enrollmentKeyView(row), key };
    });
  }
}

function requireSiteInReach({ scope }: UserCaller, siteId: string | null | undefined): void {
  if (scope.sites === 'all' || (siteId && scope.sites.has(siteId))) return;
  throw new ProblemError('site_access_denied', 'Your access is limited to some sites; choose one of them.');
}
