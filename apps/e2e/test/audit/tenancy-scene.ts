import { Api } from '@gatehouse/stack';
import { until } from '../world.ts';
import { type Enrolled, ownDevice, returns } from './agent-scene.ts';
import { idOf, type Person, type Place, type Told } from './recorder.ts';
import { type Stage, unique } from './stage.ts';

interface Made {
  readonly id: string;
}

/** The expected entry of a change to the resource in the address, and of one to a resource that was just created. */
const change = (kind: string, verb: string, place?: Place): Told[] => [
  { action: `${kind}.${verb}`, resource: kind, ...(place && { place }) },
];
const making = (kind: string, place?: Place, verb = 'create'): Told[] => [
  { action: `${kind}.${verb}`, resource: kind, id: idOf, ...(place && { place }) },
];

export async function partners({ log, system, boss, ofPartner }: Stage): Promise<void> {
  const slug = unique('partner');
  const { id } = await log.call<Made>('POST /orgs/partners', {
    as: system,
    body: { name: slug, slug, status: 'active' },
    told: [],
  });
  const place = { partnerId: id, orgId: null };
  log.calls.at(-1)?.entries.push({
    action: 'partner.create',
    result: 'success',
    actor: system.actor,
    resource: { type: 'partner', id },
    ...place,
  });
  await log.call('PATCH /orgs/partners/{id}', {
    as: system,
    params: { id },
    body: { plan: 'pro' },
    told: change('partner', 'update', place),
  });
  await log.call('DELETE /orgs/partners/{id}', {
    as: system,
    params: { id },
    told: change('partner', 'delete', place),
  });
  await log.call('PATCH /orgs/partners/me', {
    as: boss,
    body: { settings: { timeFormat: '24h' } },
    told: [{ action: 'partner.settings.update', resource: 'partner', id: ofPartner.partnerId, place: ofPartner }],
  });
}

/** Creates an organisation of the tenant's partner and waits until the other services know it. */
async function makeOrganization({ log, boss, tenant }: Stage): Promise<{ id: string; name: string; place: Place }> {
  const name = unique('organization');
  const { id } = await log.call<Made>('POST /orgs/organizations', { as: boss, body: { name, slug: name }, told: [] });
  const place = { partnerId: tenant.partnerId, orgId: id };
  log.calls.at(-1)?.entries.push({
    action: 'organization.create',
    result: 'success',
    actor: boss.actor,
    resource: { type: 'organization', id },
    ...place,
  });
  await boss.api.eventually('GET', `/pam/config?orgId=${id}`);
  return { id, name, place };
}

export async function organizations(stage: Stage): Promise<void> {
  const { log, boss, ofPartner, tenant } = stage;
  const { id, place } = await makeOrganization(stage);
  const on = { as: boss, params: { id } };
  await log.call('PATCH /orgs/organizations/{id}', {
    ...on,
    body: { name: unique('renamed') },
    told: change('organization', 'update', place),
  });
  await log.call('PATCH /orgs/organizations/order', {
    as: boss,
    body: { organizationOrder: [id, tenant.orgId] },
    told: [
      { action: 'partner.organization_order.update', resource: 'partner', id: ofPartner.partnerId, place: ofPartner },
    ],
  });
  await log.call('POST /orgs/organizations/{id}/archive', {
    ...on,
    body: { retentionDays: 30 },
    told: change('organization', 'archive', place),
  });
  await log.call('POST /orgs/organizations/{id}/restore', { ...on, told: change('organization', 'restore', place) });
  await log.call('DELETE /orgs/organizations/{id}', { ...on, told: change('organization', 'delete', place) });
}

export async function merge(stage: Stage): Promise<void> {
  const { log, boss, tenant } = stage;
  const { id, name, place } = await makeOrganization(stage);
  const on = { as: boss, params: { id } };
  const { planToken } = await log.call<{ planToken: string }>('POST /orgs/organizations/{id}/merge-preview', {
    ...on,
    body: { survivorId: tenant.orgId },
    told: [],
  });
  const { jobId } = await log.call<{ jobId: string }>('POST /orgs/organizations/{id}/merge', {
    ...on,
    body: { survivorId: tenant.orgId, confirmName: name, planToken },
    told: change('organization', 'merge.start', place),
  });
  await until(
    async () =>
      (await boss.api.must<{ state: string }>('GET', `/orgs/organizations/merge-runs/${jobId}`)).state === 'completed',
    60,
  );
}

export async function sites({ log, boss, tenant }: Stage): Promise<void> {
  const { id } = await log.call<Made>('POST /orgs/sites', {
    as: boss,
    body: { orgId: tenant.orgId, name: unique('site') },
    told: making('site'),
  });
  await log.call('PATCH /orgs/sites/{id}', {
    as: boss,
    params: { id },
    body: { name: unique('renamed') },
    told: change('site', 'update'),
  });
  await log.call('DELETE /orgs/sites/{id}', { as: boss, params: { id }, told: change('site', 'delete') });
}

export async function contacts({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId } = tenant;
  const made = await log.call<{ data?: Made; id?: string }>('POST /orgs/organizations/{id}/contacts', {
    as: boss,
    params: { id: orgId },
    body: { name: 'Carl', email: `${unique('carl')}@example.test` },
    told: making('contact'),
  });
  const params = { id: String(made.data?.id ?? made.id) };
  await log.call('PATCH /orgs/contacts/{id}', {
    as: boss,
    params,
    body: { title: 'Owner' },
    told: change('contact', 'update'),
  });
  await log.call('DELETE /orgs/contacts/{id}', { as: boss, params, told: change('contact', 'delete') });
  const rows = [{ organizationId: orgId, name: 'Dora', email: `${unique('dora')}@example.test` }];
  await log.call('POST /orgs/contacts/import/preview', { as: boss, body: { rows }, told: [] });
  await log.call('POST /orgs/contacts/import', {
    as: boss,
    body: { rows },
    told: [{ action: 'contact.import', resource: 'organization', id: orgId }],
  });
}

export async function enrolment(stage: Stage): Promise<void> {
  const { log, boss, anonymous, tenant } = stage;
  const { orgId, siteId } = tenant;
  type Key = { key?: string; data?: { key: string; id: string }; id?: string };
  const made = await log.call<Key>('POST /enrollment-keys', {
    as: boss,
    body: { orgId, siteId, name: 'walk' },
    told: making('enrollment_key'),
  });
  const params = { id: String(made.data?.id ?? made.id) };
  const rotated = await log.call<Key>('POST /enrollment-keys/{id}/rotate', {
    as: boss,
    params,
    told: change('enrollment_key', 'rotate'),
  });
  const machine = { hostname: 'pc-walk', osType: 'windows', serialNumber: 'SN-WALK' };
  const body = { enrollmentKey: rotated.key ?? rotated.data?.key, ...machine };
  const { deviceId, agentToken } = await log.call<Enrolled>('POST /agents/enroll', { as: anonymous, body, told: [] });
  const actor = { type: 'agent', id: deviceId } as const;
  log.tell(log.calls.at(-1)?.requestId ?? '', [{ action: 'device.enroll', resource: 'device', id: deviceId, actor }]);
  await returns(stage, boss, body);
  await ownDevice(stage, { api: new Api(stage.world.product.baseUrl, agentToken), actor }, body);
  await log.call('DELETE /enrollment-keys/{id}', { as: boss, params, told: change('enrollment_key', 'delete') });
  await device(stage, boss, deviceId);
}

async function device({ log, tenant }: Stage, boss: Person, id: string): Promise<void> {
  const on = { as: boss, params: { id } };
  await log.call('PATCH /devices/{id}', { ...on, body: { displayName: 'Walk' }, told: change('device', 'update') });
  await log.call('POST /devices/{id}/agent-token/rotate', { ...on, told: change('device', 'agent_token.rotate') });
  const { id: siteId } = await boss.api.must<Made>('POST', '/orgs/sites', {
    orgId: tenant.orgId,
    name: unique('target'),
  });
  await log.call('POST /devices/{id}/move', { ...on, body: { siteId }, told: change('device', 'move') });
  await log.call('POST /devices/{id}/decommission', { ...on, told: change('device', 'decommission') });
}

export async function groups({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId, deviceId } = tenant;
  const made = await log.call<{ data: Made }>('POST /device-groups', {
    as: boss,
    body: { orgId, name: unique('group') },
    told: making('device_group'),
  });
  const on = { as: boss, params: { id: made.data.id } };
  const deviceIds = [deviceId];
  await log.call('PATCH /device-groups/{id}', {
    ...on,
    body: { description: 'walked' },
    told: change('device_group', 'update'),
  });
  await log.call('POST /device-groups/{id}/devices', {
    ...on,
    body: { deviceIds },
    told: change('device_group', 'devices.add'),
  });
  await log.call('DELETE /device-groups/{id}/devices', {
    ...on,
    body: { deviceIds },
    told: change('device_group', 'devices.remove'),
  });
  await boss.api.must('POST', `/device-groups/${made.data.id}/devices`, { deviceIds });
  await log.call('DELETE /device-groups/{id}/devices/{deviceId}', {
    ...on,
    params: { id: made.data.id, deviceId },
    told: change('device_group', 'devices.remove'),
  });
  await log.call('DELETE /device-groups/{id}', { ...on, told: change('device_group', 'delete') });
}

export async function policies({ log, boss, tenant }: Stage): Promise<void> {
  const made = await log.call<{ data?: Made; id?: string }>('POST /configuration-policies', {
    as: boss,
    body: {
      name: unique('policy'),
      ownerScope: 'organization',
      orgId: tenant.orgId,
      features: { pam: { uacInterceptionEnabled: true } },
    },
    told: making('configuration_policy'),
  });
  const id = String(made.data?.id ?? made.id);
  const on = { as: boss, params: { id } };
  await log.call('PATCH /configuration-policies/{id}', {
    ...on,
    body: { name: unique('renamed') },
    told: change('configuration_policy', 'update'),
  });
  const assigned = await log.call<{ data?: Made; id?: string }>('POST /configuration-policies/{id}/assignments', {
    ...on,
    body: { level: 'organization', targetId: tenant.orgId },
    told: change('configuration_policy', 'assign'),
  });
  await log.call('DELETE /configuration-policies/{id}/assignments/{assignmentId}', {
    ...on,
    params: { id, assignmentId: String(assigned.data?.id ?? assigned.id) },
    told: change('configuration_policy', 'unassign'),
  });
  await log.call('DELETE /configuration-policies/{id}', { ...on, told: change('configuration_policy', 'delete') });
}

export async function customFields({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId, deviceId } = tenant;
  const field = (fieldKey: string): object => ({
    name: fieldKey,
    fieldKey,
    type: 'text',
    ownerScope: 'organization',
    orgId,
  });
  const { data } = await log.call<{ data: Made }>('POST /custom-fields', {
    as: boss,
    body: field('walked'),
    told: making('custom_field'),
  });
  await log.call('PATCH /custom-fields/{id}', {
    as: boss,
    params: { id: data.id },
    body: { name: 'Walked' },
    told: change('custom_field', 'update'),
  });
  await log.call('PATCH /devices/{id}/custom-fields', {
    as: boss,
    params: { id: deviceId },
    body: { values: { walked: 'once' } },
    told: [{ action: 'custom_field.values.update', resource: 'device' }],
  });
  const rows = [{ hostname: 'pc-1', organizationId: orgId, values: { walked: 'twice' } }];
  await log.call('POST /devices/custom-fields/import/preview', {
    as: boss,
    body: { rows, mode: 'overwrite' },
    told: [],
  });
  await log.call('POST /devices/custom-fields/import', {
    as: boss,
    body: { rows, mode: 'overwrite' },
    told: [{ action: 'custom_field.values.import', resource: 'organization', id: orgId }],
  });
  const definitions = { rows: [field('imported')] };
  await log.call('POST /custom-fields/import/preview', { as: boss, body: definitions, told: [] });
  await log.call('POST /custom-fields/import', {
    as: boss,
    body: definitions,
    told: [{ action: 'custom_field.import', resource: 'custom_field', id: null }],
  });
  await log.call('DELETE /custom-fields/{id}', {
    as: boss,
    params: { id: data.id },
    told: change('custom_field', 'delete'),
  });
}
