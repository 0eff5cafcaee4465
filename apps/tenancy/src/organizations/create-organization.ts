import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { CreateOrganizationDto, OrganizationResponse, OrganizationStatus } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { onConstraint, type Tx, UnitOfWork } from '@gatehouse/database';
import { SETTABLE_AT_CREATE } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { partnerNotFound } from '../partners/get-partner.ts';
import { publishOrganization } from '../rows/publish-state.ts';
import { insertion, returned } from '../rows/assignments.ts';
import { ORGANIZATION_COLUMNS, type OrganizationRow, organizationView } from './organization.view.ts';

export const organizationSlugTaken = {
  organization_slug_unique: () => new ProblemError('slug_taken', 'Another organization of this partner has this slug.'),
};

/** @throws ProblemError status_not_settable for a status that only an operation can set */
export function requireSettable(status: OrganizationStatus | undefined, settable: readonly OrganizationStatus[]): void {
  if (status && !settable.includes(status))
    throw new ProblemError('status_not_settable', `The status can be set to ${settable.join(', ')}.`, { settable });
}

/** Counts the organisation and assigns its position. The counter's row is the lock that enforces the cap. */
const TAKE_PLACE = `
  UPDATE partner_counters c SET organizations = c.organizations + 1, last_position = c.last_position + 1
    FROM partners p WHERE c.partner_id = $1 AND p.id = c.partner_id AND p.deleted_at IS NULL AND (p.max_organizations IS NULL OR c.organizations < p.max_organizations)
  RETURNING c.last_position`;

const FIND_PARTNER = 'SELECT max_organizations FROM partners WHERE id = $1 AND deleted_at IS NULL';

@Injectable()
export class CreateOrganization {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * @throws ProblemError partner_required, partner_context_required, partner_access_denied, organization_limit_reached,
   * slug_taken
   */
  execute(caller: UserCaller, { partnerId: wanted, ...draft }: CreateOrganizationDto): Promise<OrganizationResponse> {
    const partnerId = partnerOf(caller, wanted);
    requireSettable(draft.status, SETTABLE_AT_CREATE);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const position = await this.takePlace(tx, partnerId);
      const { columns, placeholders, values } = insertion({ ...draft, id: newId(), partnerId, position });
      const row = await tx
        .one<OrganizationRow>(
          `INSERT INTO organizations (${columns}) VALUES (${placeholders}) RETURNING ${ORGANIZATION_COLUMNS}, version`,
          values,
        )
        .catch(onConstraint(organizationSlugTaken));
      const organization = returned(row);
      const { id, name, status, type } = organization;
      tx.audit({
        action: 'organization.create',
        partnerId,
        orgId: id,
        resource: { type: 'organization', id, name },
        details: { partnerId, status, type },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }

  private async takePlace(tx: Tx, partnerId: string): Promise<number> {
    const place = await tx.one<{ lastPosition: number | null }>(TAKE_PLACE, [partnerId]);
    if (place) return place.lastPosition ?? 0;
    const partner = await tx.one<{ maxOrganizations: number }>(FIND_PARTNER, [partnerId]);
    if (!partner) throw partnerNotFound();
    throw new ProblemError('organization_limit_reached', 'This partner has as many organizations as it may have.', {
      limit: partner.maxOrganizations,
    });
  }
}

function partnerOf(caller: UserCaller, wanted: string | undefined): string {
  if (caller.level === 'system') {
    if (!wanted) throw new ProblemError('partner_required', 'partnerId is required for system scope.');
    return wanted;
  }
  if (!caller.partnerId)
    throw new ProblemError('partner_context_required', 'Partner context required to create organizations.');
  if (wanted && wanted !== caller.partnerId)
    throw new ProblemError('partner_access_denied', 'Access denied to this partner.');
  // The new organisation would be outside the creator's own reach.
  if (caller.scope.orgs !== 'all')
    throw new ProblemError(
      'org_access_denied',
      'Your access is limited to chosen organizations; creating one needs access to all.',
    );
  return caller.partnerId;
}
