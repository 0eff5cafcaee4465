import { Module } from '@nestjs/common';
import { OrganizationsRepository } from './organizations.repository.ts';

@Module({ providers: [OrganizationsRepository], exports: [OrganizationsRepository] })
export class OrganizationsModule {}
