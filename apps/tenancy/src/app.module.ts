import { Module } from '@nestjs/common';
import { StatePublicationModule } from './state-publication/state-publication.module.ts';
import { AgentsModule } from './agents/agents.module.ts';
import { ConfigurationPoliciesModule } from './configuration-policies/configuration-policies.module.ts';
import { ContactsModule } from './contacts/contacts.module.ts';
import { CustomFieldsModule } from './custom-fields/custom-fields.module.ts';
import { DeviceGroupsModule } from './device-groups/device-groups.module.ts';
import { DevicesModule } from './devices/devices.module.ts';
import { EnrollmentKeysModule } from './enrollment-keys/enrollment-keys.module.ts';
import { MergeModule } from './merge/merge.module.ts';
import { OrganizationsModule } from './organizations/organizations.module.ts';
import { PartnersModule } from './partners/partners.module.ts';
import { ScriptsModule } from './scripts/scripts.module.ts';
import { SitesModule } from './sites/sites.module.ts';

@Module({
  imports: [
    PartnersModule,
    OrganizationsModule,
    SitesModule,
    ContactsModule,
    EnrollmentKeysModule,
    DevicesModule,
    AgentsModule,
    DeviceGroupsModule,
    ConfigurationPoliciesModule,
    CustomFieldsModule,
    ScriptsModule,
    MergeModule,
    StatePublicationModule,
  ],
})
export class AppModule {}
