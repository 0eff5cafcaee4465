import { Module } from '@nestjs/common';
import { CountElevations } from './count-elevations.ts';
import { OrganizationFiguresRepository } from './organization-figures.repository.ts';

@Module({ providers: [CountElevations, OrganizationFiguresRepository] })
export class OrganizationFiguresModule {}
