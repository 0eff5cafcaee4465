import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { ContactEntity } from './contacts/contacts.repository.ts';
import { OrganizationRunEntity } from './merge/organization-runs.repository.ts';
import { Contacts1800000001003 } from './migrations/1800000001003-contacts.ts';
import { DecommissionedAgents1800000001008 } from './migrations/1800000001008-decommissioned-agents.ts';
import { Definitions1800000001004 } from './migrations/1800000001004-definitions.ts';
import { DeviceLists1800000001006 } from './migrations/1800000001006-device-lists.ts';
import { DevicePresence1800000001007 } from './migrations/1800000001007-device-presence.ts';
import { Devices1800000001002 } from './migrations/1800000001002-devices.ts';
import { Hierarchy1800000001001 } from './migrations/1800000001001-hierarchy.ts';
import { OrganizationRuns1800000001005 } from './migrations/1800000001005-organization-runs.ts';
import { SourceIdsOfOrganizations1800000001041 } from './migrations/1800000001041-source-ids-of-organizations.ts';
import { AgentProtocol21800000001171 } from './migrations/1800000001171-agent-protocol-2.ts';
import { ConfirmedReturns1800000001302 } from './migrations/1800000001302-confirmed-returns.ts';
import { FoldedNames1800000001301 } from './migrations/1800000001301-folded-names.ts';
import { GroupsOfLevels1800000001501 } from './migrations/1800000001501-groups-of-levels.ts';
import { ReenrolmentNotices1800000001251 } from './migrations/1800000001251-reenrolment-notices.ts';
import { OrganizationEntity } from './organizations/organizations.repository.ts';
import { PartnerCounterEntity, PartnerEntity } from './partners/partners.repository.ts';
import { ScriptEntity } from './definitions/scripts.repository.ts';
import { SiteEntity, SitePlacementEntity } from './sites/sites.repository.ts';
import {
  ConfigurationPolicyAssignmentEntity,
  ConfigurationPolicyEntity,
} from './configuration/configuration-policies.repository.ts';
import { CustomFieldEntity, CustomFieldValueEntity } from './definitions/custom-fields.repository.ts';
import { DeviceSourceEntity } from './definitions/value-import/value-import.repository.ts';
import {
  DeviceGroupEntity,
  DeviceGroupMemberEntity,
  DeviceGroupPlacementEntity,
} from './devices/device-groups.repository.ts';
import { DeviceCountEntity } from './devices/counts/device-counts.repository.ts';
import { DeviceEntity } from './devices/devices.repository.ts';
import { EnrollmentKeyEntity } from './enrollment/enrollment-keys.repository.ts';
import { DevicePresenceEntity } from './enrollment/device-presence.repository.ts';

export const tenancyDatabase: DatabaseDefinition = {
  name: 'tenancy',
  entities: [
    ...TENANT_TASK_ENTITIES,
    PartnerEntity,
    PartnerCounterEntity,
    OrganizationEntity,
    OrganizationRunEntity,
    SiteEntity,
    SitePlacementEntity,
    ContactEntity,
    EnrollmentKeyEntity,
    DeviceEntity,
    DeviceCountEntity,
    DevicePresenceEntity,
    DeviceGroupEntity,
    DeviceGroupPlacementEntity,
    DeviceGroupMemberEntity,
    ConfigurationPolicyEntity,
    ConfigurationPolicyAssignmentEntity,
    CustomFieldEntity,
    CustomFieldValueEntity,
    DeviceSourceEntity,
    ScriptEntity,
  ],
  migrations: [
    TenantTasksSchema1700000000002,
    FoldedNameFunction1700000000003,
    Hierarchy1800000001001,
    Devices1800000001002,
    Contacts1800000001003,
    Definitions1800000001004,
    OrganizationRuns1800000001005,
    DeviceLists1800000001006,
    DevicePresence1800000001007,
    DecommissionedAgents1800000001008,
    SourceIdsOfOrganizations1800000001041,
    AgentProtocol21800000001171,
    ReenrolmentNotices1800000001251,
    FoldedNames1800000001301,
    ConfirmedReturns1800000001302,
    GroupsOfLevels1800000001501,
  ],
};
