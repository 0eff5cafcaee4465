import { Module } from '@nestjs/common';
import { DevicesModule } from './devices/devices.module.ts';
import { EnrollmentKeysModule } from './enrollment-keys/enrollment-keys.module.ts';
import { OrganizationsModule } from './organizations/organizations.module.ts';
import { PartnersModule } from './partners/partners.module.ts';
import { SitesModule } from './sites/sites.module.ts';

@Module({ imports: [PartnersModule, OrganizationsModule, SitesModule, EnrollmentKeysModule, DevicesModule] })
export class AppModule {}
