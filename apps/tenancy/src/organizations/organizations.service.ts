import {
  changeDetails,
  changesOf,
  isUnchanged,
  type Page,
  partOf,
  partUpdates,
  ProblemError,
  requireInOrder,
  requireSame,
  requireVersion,
  type UserCaller,
} from '@gatehouse/contracts-core';
import {
  type CreateOrganizationDto,
  type OrganizationOrderDto,
  type OrganizationQuery,
  OrganizationResponse,
  type OrganizationStatus,
  type UpdateOrganizationDto,
} from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { organizationOrder, SETTABLE_AT_CREATE, SETTABLE_AT_UPDATE } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { ownPartnerOf } from '../partners/partners.service.ts';
import { PartnersRepository } from '../partners/partners.repository.ts';
import { requireNotFrozen, requireNotSurviving } from '../scope/organizations-in-reach.repository.ts';
import { publishOrganization, publishPartner } from '../scope/publish-state.ts';
import {
  OrganizationPlacesRepository,
  type OrganizationRow,
  OrganizationsRepository,
} from './organizations.repository.ts';

/** The fields of an organisation that carry authority. */
export const ORGANIZATION_FIELDS = [
  'name',
  'type',
  'status',
  'maxDevices',
  'settings',
  'ssoConfig',
  'archivedAt',
  'purgeAt',
];

/** @throws ProblemError status_not_settable for a status that only an operation can set */
function requireSettable(status: OrganizationStatus | undefined, settable: readonly OrganizationStatus[]): void {
  if (status && !settable.includes(status))
    throw new ProblemError('status_not_settable', `The status can be set to ${settable.join(', ')}.`, { settable });
}

export const organizationView = (organization: OrganizationRow): OrganizationResponse =>
  partOf(OrganizationResponse, organization);

function partnerOf(caller: UserCaller, wanted: string | undefined): string {
  if (caller.level === 'system') {
    if (!wanted) throw new ProblemError('partner_required');
    return wanted;
  }
  if (!caller.partnerId) throw new ProblemError('partner_context_required');
  if (wanted && wanted !== caller.partnerId) throw new ProblemError('partner_access_denied');
  // The new organisation would be outside the creator's own reach.
  if (caller.scope.orgs !== 'all')
    throw new ProblemError(
      'org_access_denied',
      'Your access is limited to selected organisations; creating one requires access to all.',
    );
  return caller.partnerId;
}

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationsRepository: OrganizationsRepository,
    private readonly organizationPlacesRepository: OrganizationPlacesRepository,
  ) {}

  /** Lists every organisation in the caller's reach, by name, without pages. */
  listAllOrganizations(caller: UserCaller): Promise<OrganizationResponse[]> {
    return this.work.read(caller, (reader) => this.organizationsRepository.listAll(reader, caller));
  }

  /** @throws ProblemError partner_access_denied if a partner requests the organisations of another */
  list(caller: UserCaller, query: OrganizationQuery): Promise<Page<OrganizationResponse>> {
    if (query.partnerId && caller.level !== 'system' && query.partnerId !== caller.partnerId)
      throw new ProblemError('partner_access_denied');
    return this.work.read(caller, (reader) => this.organizationsRepository.list(reader, caller, query));
  }

  async get(caller: UserCaller, id: string): Promise<OrganizationResponse> {
    const read = this.work.read(caller, (reader) => this.organizationsRepository.get(reader, caller, id));
    return organizationView(await read);
  }

  create(caller: UserCaller, { partnerId: wanted, ...draft }: CreateOrganizationDto): Promise<OrganizationResponse> {
    const partnerId = partnerOf(caller, wanted);
    requireSettable(draft.status, SETTABLE_AT_CREATE);
    requireInOrder(draft, 'contractStart', 'contractEnd');
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const position = await this.organizationPlacesRepository.take(tx, partnerId);
      const organization = await this.organizationsRepository.insert(tx, { ...draft, partnerId, position });
      const { id, name, status, type } = organization;
      tx.audit({
        action: 'organization.create',
        partnerId,
        orgId: id,
        resource: { type: 'organization', id, name },
        details: { partnerId, status, type, changes: changesOf(null, organization, ORGANIZATION_FIELDS) },
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }

  update(caller: UserCaller, id: string, patch: UpdateOrganizationDto): Promise<OrganizationResponse> {
    const { updates, named } = partUpdates(patch, ['partnerId']);
    requireSettable(updates.status, SETTABLE_AT_UPDATE);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const known = await this.organizationsRepository.lock(tx, caller, id);
      requireNotFrozen(known);
      requireVersion(caller, known.version);
      requireSame(named, known);
      if (isUnchanged(known, updates)) return organizationView(known);
      if (updates.contractStart || updates.contractEnd)
        requireInOrder({ ...known, ...updates }, 'contractStart', 'contractEnd');
      const organization = await this.organizationsRepository.update(tx, caller, id, updates);
      tx.audit({
        action: 'organization.update',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
        details: changeDetails(known, organization, updates),
      });
      publishOrganization(tx, organization);
      return organizationView(organization);
    });
  }

  /** Soft delete: marks only the organisation, not the rows below it. */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const known = await this.organizationsRepository.lock(tx, caller, id);
      requireNotFrozen(known);
      requireVersion(caller, known.version);
      await requireNotSurviving(tx, id);
      const organization = await this.organizationsRepository.softDelete(tx, caller, id);
      await this.organizationPlacesRepository.release(tx, organization.partnerId);
      tx.audit({
        action: 'organization.delete',
        partnerId: organization.partnerId,
        orgId: id,
        resource: { type: 'organization', id, name: organization.name },
        details: { changes: changesOf(known, null, ORGANIZATION_FIELDS) },
      });
      publishOrganization(tx, organization);
    });
  }
}

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
        'Your access is limited to selected organisations; ordering them requires access to all.',
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
