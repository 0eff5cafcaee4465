import { Module } from '@nestjs/common';
import { ConfigurationPoliciesModule } from './configuration-policies/configuration-policies.module.ts';
import { ContactsModule } from './contacts/contacts.module.ts';
import { DeviceGroupsModule } from './device-groups/device-groups.module.ts';
import { DevicesModule } from './devices/devices.module.ts';
import { EnrollmentKeysModule } from './enrollment-keys/enrollment-keys.module.ts';
import { MergeModule } from './merge/merge.module.ts';
import { OrganizationsModule } from './organizations/organizations.module.ts';
import { PartnersModule } from './partners/partners.module.ts';
import { SitesModule } from './sites/sites.module.ts';

@Module({
  imports: [
    PartnersModule, OrganizationsModule, SitesModule, ContactsModule, EnrollmentKeysModule, DevicesModule, DeviceGroupsModule,
    ConfigurationPoliciesModule, MergeModule,
  ],
})
export class AppModule {}
