import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { OrganizationOrderDto } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { organizationOrder } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { ownPartnerOf } from '../../partners/own-partner/own-partner.ts';
import { PartnersRepository } from '../../partners/partners.repository.ts';
import { publishPartner } from '../../scope/publish-state.ts';
import { OrganizationPlacesRepository } from './organization-places.repository.ts';

@Injectable()
export class OrganizationOrderService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationPlacesRepository: OrganizationPlacesRepository,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /**
   * Stores the order in which the partner's lists show its organisations.
   * @throws ProblemError org_access_denied for a caller whose reach does not include all of them
   */
  orderOrganizations(
    caller: UserCaller,
    { organizationOrder: wanted }: OrganizationOrderDto,
  ): Promise<OrganizationOrderDto> {
    const partnerId = ownPartnerOf(caller);
    if (caller.scope.orgs !== 'all')
      throw new ProblemError(
        'org_access_denied',
        'Your access is limited to chosen organizations; ordering them needs access to all.',
      );
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const order = organizationOrder(wanted, await this.organizationPlacesRepository.lock(tx, partnerId));
      await this.organizationPlacesRepository.order(tx, partnerId, order);
      const partner = await this.partnersRepository.storeOrganizationOrder(tx, partnerId, order);
      tx.audit({
        action: 'partner.organization_order.update',
        partnerId,
        resource: { type: 'partner', id: partnerId, name: partner.name },
        details: { organizations: order.length },
      });
      publishPartner(tx, partner);
      return { organizationOrder: order };
    });
  }
}
