import { asService } from '@gatehouse/contracts-core';
import {
  type ElevationFigures,
  ORGANIZATION_ELEVATIONS,
  type OrganizationFigures,
  type OrganizationFiguresQuestion,
} from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OrganizationFiguresRepository } from './organizations.repository.ts';

/** Replies to `tenancy`, which has checked the reach of the user who reads the summary. */
@Injectable()
export class CountElevations implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationFiguresRepository: OrganizationFiguresRepository,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<OrganizationFiguresQuestion>(ORGANIZATION_ELEVATIONS, (question) => this.count(question));
  }

  async count({ organizations }: OrganizationFiguresQuestion): Promise<OrganizationFigures<ElevationFigures>> {
    const orgIds = organizations.map(({ orgId }) => orgId);
    const figures = await this.work.read(asService('pam'), (reader) =>
      this.organizationFiguresRepository.count(reader, orgIds),
    );
    return { figures };
  }
}
