import { type DatabaseDefinition, FoldedNameFunction1700000000003 } from '@gatehouse/database';
import { TENANT_TASK_ENTITIES, TenantTasksSchema1700000000002 } from '@gatehouse/tenant-data';
import { ContactEntity } from './contacts/contacts.repository.ts';
import { OrganizationRunEntity } from './merge/organization-runs.repository.ts';
import { VersionsOfGroups1800000009000 } from './migrations/1800000009000-versions-of-groups.ts';
import { VersionsOfOrganizations1800000009100 } from './migrations/1800000009100-versions-of-organizations.ts';
import { Baseline1800000004530 } from './migrations/baseline.ts';
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
    Baseline1800000004530,
    VersionsOfGroups1800000009000,
    VersionsOfOrganizations1800000009100,
  ],
};
