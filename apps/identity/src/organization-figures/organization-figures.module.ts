import { Module } from '@nestjs/common';
import { CountPeople } from './count-people.ts';
import { OrganizationFiguresRepository } from './organization-figures.repository.ts';

@Module({ providers: [CountPeople, OrganizationFiguresRepository] })
export class OrganizationFiguresModule {}
