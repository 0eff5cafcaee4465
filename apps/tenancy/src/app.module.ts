import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { TenantDataModule } from '@gatehouse/tenant-data';
import { Global, Module } from '@nestjs/common';
import { AgentsController } from './enrollment/agents.controller.ts';
import { AgentsRepository } from './enrollment/agents.repository.ts';
import { AuthenticateAgent } from './enrollment/authenticate-agent.ts';
import { EnrollAgent } from './enrollment/enrolment/enroll-agent.ts';
import { AgentsService, AgentTokens } from './enrollment/agents.service.ts';
import { AgentEnrolmentService } from './enrollment/enrolment/agent-enrolment.service.ts';
import {
  ConfigurationPoliciesService,
  ConfigurationPolicyAssignmentsService,
  ConfigurationPolicyEffectiveService,
} from './configuration/configuration-policies.service.ts';
import { ContactsService } from './contacts/contacts.service.ts';
import { ContactImportService } from './contacts/import/contact-import.service.ts';
import { CustomFieldsService, CustomFieldValuesService } from './definitions/custom-fields.service.ts';
import { FieldImportService } from './definitions/field-import/field-import.service.ts';
import { ImportValues, ValueImportService } from './definitions/value-import/value-import.service.ts';
import {
  DeviceGroupMembersService,
  DeviceGroupsService,
  FollowApprovalLevels,
} from './devices/device-groups.service.ts';
import { DevicesService } from './devices/devices.service.ts';
import { EnrollmentKeysService } from './enrollment/enrollment-keys.service.ts';
import { MergeService } from './merge/merge.service.ts';
import { OrganizationArchiveService } from './organizations/organization-archive.service.ts';
import { OrganizationOrderService, OrganizationsService } from './organizations/organizations.service.ts';
import { OrganizationSummaryService } from './organizations/organization-summary.service.ts';
import { PartnersService, UpdateOwnPartner } from './partners/partners.service.ts';
import { ScriptImportService, ScriptsService } from './definitions/scripts.service.ts';
import { SitesService } from './sites/sites.service.ts';
import { StatePublicationService } from './housekeeping/state-publication.service.ts';
import {
  ConfigurationPoliciesController,
  EffectiveConfigurationController,
  PolicyAssignmentsController,
} from './configuration/configuration-policies.controller.ts';
import {
  ConfigurationPoliciesRepository,
  PolicyAssignmentsRepository,
} from './configuration/configuration-policies.repository.ts';
import { ContactImportController, ContactsController } from './contacts/contacts.controller.ts';
import { ContactsRepository } from './contacts/contacts.repository.ts';
import { ContactImportRepository } from './contacts/import/contact-import.repository.ts';
import { ImportContacts } from './contacts/import/import-contacts.ts';
import {
  CustomFieldsController,
  FieldImportsController,
  FieldValuesController,
  ValueImportsController,
} from './definitions/custom-fields.controller.ts';
import {
  CustomFieldsRepository,
  FieldImportRepository,
  FieldValuesRepository,
} from './definitions/custom-fields.repository.ts';
import { ImportFields } from './definitions/field-import/import-fields.ts';
import { ValueImportRepository } from './definitions/value-import/value-import.repository.ts';
import { ValuePlanner } from './definitions/value-import/value-planner.ts';
import { DeviceGroupsController, GroupMembersController } from './devices/device-groups.controller.ts';
import { DeviceGroupsRepository, GroupMembersRepository } from './devices/device-groups.repository.ts';
import { DeviceCountsRepository } from './devices/counts/device-counts.repository.ts';
import { SumDeviceCounts } from './devices/counts/device-caps.ts';
import { DeviceReturnsController, DevicesController } from './devices/devices.controller.ts';
import { DeviceReturns } from './devices/device-returns.service.ts';
import { DeviceMovesRepository, DevicesRepository } from './devices/devices.repository.ts';
import { MoveDevice } from './devices/move/move-device.ts';
import { EnrollmentKeysController } from './enrollment/enrollment-keys.controller.ts';
import { EnrollmentKeysRepository } from './enrollment/enrollment-keys.repository.ts';
import { ConfirmStep, MergeSaga } from './merge/merge-saga.ts';
import { MergeController } from './merge/merge.controller.ts';
import { OrganizationRunsRepository } from './merge/organization-runs.repository.ts';
import { PreviewMerge } from './merge/preview-merge.ts';
import { PurgeArchived } from './merge/purge-archived.ts';
import { StartMerge } from './merge/start-merge.ts';
import { tenancyTenantData } from './merge/tenant-data/tenancy-tenant-data.ts';
import {
  ArchiveController,
  OrganizationOrderController,
  OrganizationsController,
  OrganizationSummaryController,
} from './organizations/organizations.controller.ts';
import {
  OrganizationPlacesRepository,
  OrganizationsRepository,
  OrganizationSummaryRepository,
} from './organizations/organizations.repository.ts';
import { PartnersController } from './partners/partners.controller.ts';
import { PartnersRepository } from './partners/partners.repository.ts';
import { DevicePresenceRepository } from './enrollment/device-presence.repository.ts';
import { RecordSeenAgents, SeenAgents } from './enrollment/seen-agents.ts';
import { SetSilentDevicesOffline } from './enrollment/set-silent-devices-offline.ts';
import { ScriptImportsController, ScriptsController } from './definitions/scripts.controller.ts';
import { ScriptsRepository } from './definitions/scripts.repository.ts';
import { SitesController } from './sites/sites.controller.ts';
import { SitesRepository } from './sites/sites.repository.ts';
import { StatePublicationController } from './housekeeping/state-publication.controller.ts';

const enrollment = {
  controllers: [AgentsController, EnrollmentKeysController],
  providers: [
    AgentEnrolmentService,
    EnrollAgent,
    AgentsService,
    { provide: AGENT_AUTHENTICATOR, useClass: AuthenticateAgent },
    EnrollmentKeysRepository,
    EnrollmentKeysService,
    AgentsRepository,
    AgentTokens,
    DevicePresenceRepository,
    RecordSeenAgents,
    SeenAgents,
    SetSilentDevicesOffline,
  ],
};

const configuration = {
  controllers: [ConfigurationPoliciesController, PolicyAssignmentsController, EffectiveConfigurationController],
  providers: [
    ConfigurationPoliciesRepository,
    PolicyAssignmentsRepository,
    ConfigurationPoliciesService,
    ConfigurationPolicyAssignmentsService,
    ConfigurationPolicyEffectiveService,
  ],
};

const contacts = {
  controllers: [ContactsController, ContactImportController],
  providers: [ContactsService, ContactImportService, ImportContacts, ContactsRepository, ContactImportRepository],
};

const definitions = {
  controllers: [
    CustomFieldsController,
    FieldImportsController,
    ValueImportsController,
    FieldValuesController,
    ScriptsController,
    ScriptImportsController,
  ],
  providers: [
    CustomFieldsRepository,
    CustomFieldsService,
    FieldValuesRepository,
    CustomFieldValuesService,
    FieldImportRepository,
    FieldImportService,
    ImportFields,
    ValueImportRepository,
    ValuePlanner,
    ValueImportService,
    ImportValues,
    ScriptsRepository,
    ScriptsService,
    ScriptImportService,
  ],
};

const devices = {
  controllers: [DeviceGroupsController, GroupMembersController, DevicesController, DeviceReturnsController],
  providers: [
    DeviceGroupsRepository,
    GroupMembersRepository,
    DeviceGroupsService,
    DeviceGroupMembersService,
    FollowApprovalLevels,
    DevicesRepository,
    DeviceCountsRepository,
    DeviceMovesRepository,
    DevicesService,
    DeviceReturns,
    MoveDevice,
    SumDeviceCounts,
  ],
};

const merge = {
  controllers: [MergeController],
  providers: [
    PreviewMerge,
    StartMerge,
    MergeService,
    MergeSaga,
    PurgeArchived,
    ConfirmStep,
    OrganizationRunsRepository,
  ],
};

const organizations = {
  controllers: [OrganizationsController, OrganizationSummaryController, OrganizationOrderController, ArchiveController],
  providers: [
    OrganizationsService,
    OrganizationOrderService,
    OrganizationArchiveService,
    OrganizationsRepository,
    OrganizationPlacesRepository,
    OrganizationSummaryService,
    OrganizationSummaryRepository,
  ],
};

const partners = {
  controllers: [PartnersController],
  providers: [PartnersService, UpdateOwnPartner, PartnersRepository],
};

const sites = { controllers: [SitesController], providers: [SitesService, SitesRepository] };

const housekeeping = { controllers: [StatePublicationController], providers: [StatePublicationService] };

/** Global, so that the guard of all routes finds how agents are authenticated. */
@Global()
@Module({
  imports: [TenantDataModule.with(tenancyTenantData)],
  controllers: [
    ...enrollment.controllers,
    ...configuration.controllers,
    ...contacts.controllers,
    ...definitions.controllers,
    ...devices.controllers,
    ...merge.controllers,
    ...organizations.controllers,
    ...partners.controllers,
    ...sites.controllers,
    ...housekeeping.controllers,
  ],
  exports: [AGENT_AUTHENTICATOR],
  providers: [
    ...enrollment.providers,
    ...configuration.providers,
    ...contacts.providers,
    ...definitions.providers,
    ...devices.providers,
    ...merge.providers,
    ...organizations.providers,
    ...partners.providers,
    ...sites.providers,
    ...housekeeping.providers,
  ],
})
export class AppModule {}
