import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ElevationFigures,
  ORGANIZATION_ELEVATIONS,
  ORGANIZATION_PEOPLE,
  type OrganizationFigures,
  type OrganizationFiguresQuestion,
  type OrganizationSummaryQuery,
  type OrganizationSummaryRecord,
  type PeopleFigures,
} from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Injectable } from '@nestjs/common';
import { OrganizationSummaryRepository } from './organizations.repository.ts';

const REPLY_WITHIN_MS = 3_000;

const NO_PEOPLE: PeopleFigures = { people: 0, sso: 'none' };

const NO_ELEVATIONS: ElevationFigures = { waiting: 0, active: 0 };

@Injectable()
export class OrganizationSummaryService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationSummaryRepository: OrganizationSummaryRepository,
    private readonly bus: EventBus,
  ) {}

  /**
   * Returns present figures in the order of the request. Organisations outside the caller's reach are left out.
   * @throws ProblemError unavailable when a service does not reply
   */
  async summarizeOrganizations(
    caller: UserCaller,
    { ids }: OrganizationSummaryQuery,
  ): Promise<OrganizationSummaryRecord[]> {
    const own = await this.work.read(caller, (reader) => this.organizationSummaryRepository.count(reader, caller, ids));
    if (own.length === 0) return [];
    const question = { organizations: own.map(({ orgId, partnerId }) => ({ orgId, partnerId })) };
    const [people, elevations] = await Promise.all([
      this.request<PeopleFigures>(ORGANIZATION_PEOPLE, question),
      this.request<ElevationFigures>(ORGANIZATION_ELEVATIONS, question),
    ]);
    return own.map(({ orgId, devices, devicesOnline, sites }) => {
      const { people: members, sso } = people.get(orgId) ?? NO_PEOPLE;
      const { waiting, active } = elevations.get(orgId) ?? NO_ELEVATIONS;
      return { orgId, devices, devicesOnline, sites, people: members, waiting, active, sso };
    });
  }

  private async request<T>(subject: string, question: OrganizationFiguresQuestion): Promise<ReadonlyMap<string, T>> {
    try {
      const { figures } = await this.bus.request<OrganizationFigures<T>>(subject, question, {
        timeoutMs: REPLY_WITHIN_MS,
      });
      return new Map(figures.map((each) => [each.orgId, each]));
    } catch {
      throw new ProblemError('unavailable', 'Not every service could report its figures of the organisations.', {
        retryAfterSeconds: 5,
      });
    }
  }
}
