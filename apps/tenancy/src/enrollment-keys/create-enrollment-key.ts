import { invalid, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateEnrollmentKeyDto, IssuedEnrollmentKeyResponse } from '@gatehouse/contracts-tenancy';
import { shownOnce, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { requireWritable } from '../scope/organizations-in-reach.repository.ts';
import { auditKeyChange } from './audit-key-change.ts';
import { newSecret } from './enrollment-key-secret.ts';
import { enrollmentKeyView } from './enrollment-key.view.ts';
import { EnrollmentKeysRepository } from './enrollment-keys.repository.ts';

const DEFAULT_TTL_MINUTES = 30 * 24 * 60;

@Injectable()
export class CreateEnrollmentKey {
  constructor(
    private readonly work: UnitOfWork,
    private readonly enrollmentKeysRepository: EnrollmentKeysRepository,
  ) {}

  /** @throws ProblemError organization_not_found, organization_frozen, site_not_in_org, site_access_denied */
  execute(caller: UserCaller, draft: CreateEnrollmentKeyDto): Promise<IssuedEnrollmentKeyResponse> {
    if (draft.expiresAt && draft.ttlMinutes) throw invalid('ttlMinutes', 'give either expiresAt or ttlMinutes');
    requireSiteInReach(caller, draft.siteId);
    const { key, keyHash } = newSecret();
    return this.work.once(
      caller,
      caller.idempotency,
      async (tx) => {
        const { id: orgId, partnerId } = await requireWritable(tx, caller, draft.orgId);
        const row = await this.enrollmentKeysRepository.insert(tx, {
          ...draft,
          partnerId,
          orgId,
          keyHash,
          ttlMinutes: draft.ttlMinutes ?? DEFAULT_TTL_MINUTES,
          createdBy: caller.userId,
          allowReenrollment: draft.allowReenrollment ?? false,
        });
        const { maxUsage, expiresAt, allowReenrollment } = row;
        auditKeyChange(tx, 'enrollment_key.create', row, { maxUsage, expiresAt, allowReenrollment });
        return { ...enrollmentKeyView(row), key };
      },
      shownOnce(({ id }) => id),
    );
  }
}

function requireSiteInReach({ scope }: UserCaller, siteId: string | null | undefined): void {
  if (scope.sites === 'all' || (siteId && scope.sites.has(siteId))) return;
  throw new ProblemError('site_access_denied', 'Your access is limited to some sites; choose one of them.');
}
