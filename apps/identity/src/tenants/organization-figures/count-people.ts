import { asService } from '@gatehouse/contracts-core';
import {
  ORGANIZATION_PEOPLE,
  type OrganizationFigures,
  type OrganizationFiguresQuestion,
  type PeopleFigures,
} from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OrganizationFiguresRepository } from './organization-figures.repository.ts';

/** Replies to `tenancy`, which has checked the reach of the user who reads the summary. */
@Injectable()
export class CountPeople implements OnApplicationBootstrap {
  constructor(
    private readonly work: UnitOfWork,
    private readonly organizationFiguresRepository: OrganizationFiguresRepository,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<OrganizationFiguresQuestion>(ORGANIZATION_PEOPLE, (question) => this.count(question));
  }

  async count(question: OrganizationFiguresQuestion): Promise<OrganizationFigures<PeopleFigures>> {
    const figures = await this.work.read(asService('identity'), (reader) =>
      this.organizationFiguresRepository.count(reader, question),
    );
    return { figures };
  }
}
