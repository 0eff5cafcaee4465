import { attempt } from './attempt.ts';
import type { Draw } from './draw.ts';

const slug = (d: Draw) => ({ name: d.name(), slug: d.dice.word('slug') });
const contact = (d: Draw) => ({
  name: d.name(),
  email: d.email(),
  roles: ['admin', 'portal'],
  ...d.optional('siteId', 'site'),
});
const field = (d: Draw) => ({
  name: d.name(),
  fieldKey: d.dice.word('f').replace('-', '_'),
  type: 'text',
  ...d.owner(),
});
const contactRows = (d: Draw) => ({
  rows: [{ organizationId: d.id('org'), name: d.name(), email: d.email(), externalId: '1', externalSystem: 'crm' }],
});
const fieldRows = (d: Draw) => ({ rows: [{ name: d.name(), type: 'text', ...d.owner() }] });
const valueRows = (d: Draw) => ({
  mode: 'overwrite',
  rows: [
    {
      ...d.dice.members({ organizationId: d.id('org'), hostname: 'pc-1' }),
      sourceSystem: 'rmm',
      sourceDeviceId: String(d.dice.below(3)),
      values: { planted: d.name() },
    },
  ],
});
const script = (d: Draw) => ({
  name: d.name(),
  content: 'exit 0',
  runAs: 'system',
  ...(d.flag() ? { availability: 'partner' } : { orgId: d.id('org') }),
});
const assignment = (d: Draw) => {
  const { level, id } = d.target();
  return { level, targetId: id };
};

/** The hierarchy and its contents. */
export const TENANCY = [
  attempt('PATCH /orgs/partners/me', {}, (d) => d.dice.members({ name: d.name(), billingEmail: d.ownEmail() }), {
    times: 2,
  }),
  attempt('POST /orgs/partners', {}, slug, { makes: 'partner' }),
  attempt(
    'PATCH /orgs/partners/{id}',
    { id: 'partner' },
    (d) => d.dice.members({ name: d.name(), status: 'suspended', maxDevices: 1 }),
    { times: 2 },
  ),
  attempt('DELETE /orgs/partners/{id}', { id: 'partner' }),
  attempt('POST /orgs/organizations', {}, (d) => ({ ...slug(d), ...d.optional('partnerId', 'partner') }), {
    makes: 'org',
    times: 2,
  }),
  attempt('PATCH /orgs/organizations/order', {}, (d) => ({ organizationOrder: d.ids('org') })),
  attempt(
    'PATCH /orgs/organizations/{id}',
    { id: 'org' },
    (d) => d.dice.members({ name: d.name(), status: d.dice.one(['active', 'trial']) }),
    { times: 2 },
  ),
  attempt('DELETE /orgs/organizations/{id}', { id: 'org' }),
  attempt('POST /orgs/organizations/{id}/archive', { id: 'org' }, () => ({ retentionDays: 1 })),
  attempt('POST /orgs/organizations/{id}/restore', { id: 'org' }, () => ({})),
  attempt(
    'POST /orgs/organizations/{id}/merge',
    { id: 'org' },
    (d) => ({ survivorId: d.id('org'), confirmName: d.dice.one(['a', 'b']) }),
    { times: 2 },
  ),
  attempt('POST /orgs/sites', {}, (d) => ({ orgId: d.id('org'), name: d.name() }), { makes: 'site', times: 2 }),
  attempt('PATCH /orgs/sites/{id}', { id: 'site' }, (d) => ({ name: d.name() }), { times: 2 }),
  attempt('DELETE /orgs/sites/{id}', { id: 'site' }),
  attempt('POST /orgs/organizations/{id}/contacts', { id: 'org' }, contact, { makes: 'contact', objectIsSource: true }),
  attempt('PATCH /orgs/contacts/{id}', { id: 'contact' }, contact),
  attempt('DELETE /orgs/contacts/{id}', { id: 'contact' }),
  attempt('POST /orgs/contacts/import', {}, contactRows),
  attempt(
    'POST /enrollment-keys',
    {},
    (d) => ({ orgId: d.id('org'), name: d.name(), ...d.optional('siteId', 'site') }),
    { makes: 'enrollmentKey', times: 3 },
  ),
  attempt('POST /enrollment-keys/{id}/rotate', { id: 'enrollmentKey' }, () => ({}), { times: 2 }),
  attempt('DELETE /enrollment-keys/{id}', { id: 'enrollmentKey' }),
  attempt('PATCH /devices/{id}', { id: 'device' }, (d) => ({ displayName: d.name() }), { times: 2 }),
  attempt(
    'POST /devices/{id}/move',
    { id: 'device' },
    (d) => ({ siteId: d.id('site'), ...d.optional('orgId', 'org') }),
    { times: 2 },
  ),
  attempt('POST /devices/{id}/agent-token/rotate', { id: 'device' }, () => ({}), { times: 2 }),
  attempt('POST /devices/{id}/return/confirm', { id: 'device' }, () => ({})),
  attempt('POST /devices/{id}/return/refuse', { id: 'device' }, () => ({})),
  attempt('POST /devices/{id}/decommission', { id: 'device' }, () => ({})),
  attempt(
    'POST /agents/enroll',
    {},
    (d) => ({
      enrollmentKey: d.dice.one([...d.pools.enrollmentSecrets, 'x'.repeat(43)]),
      hostname: 'pc-1',
      osType: 'windows',
    }),
    { makes: 'device' },
  ),
  attempt('POST /device-groups', {}, (d) => ({ orgId: d.id('org'), name: d.name() }), { makes: 'group' }),
  attempt('PATCH /device-groups/{id}', { id: 'group' }, (d) => ({ description: d.name() })),
  attempt('DELETE /device-groups/{id}', { id: 'group' }),
  attempt('POST /device-groups/{id}/devices', { id: 'group' }, (d) => ({ deviceIds: [d.id('device')] }), {
    objectIsSource: true,
  }),
  attempt('DELETE /device-groups/{id}/devices', { id: 'group' }, (d) => ({ deviceIds: [d.id('device')] }), {
    objectIsSource: true,
  }),
  attempt('DELETE /device-groups/{id}/devices/{deviceId}', { id: 'group', deviceId: 'device' }, undefined, {
    objectIsSource: true,
  }),
  attempt(
    'POST /configuration-policies',
    {},
    (d) => ({ name: d.name(), features: { pam: { uacInterceptionEnabled: d.flag() } }, ...d.owner() }),
    { makes: 'policy' },
  ),
  attempt('PATCH /configuration-policies/{id}', { id: 'policy' }, (d) => ({
    features: { pam: { uacInterceptionEnabled: d.flag() } },
  })),
  attempt('DELETE /configuration-policies/{id}', { id: 'policy' }),
  attempt('POST /configuration-policies/{id}/assignments', { id: 'policy' }, assignment, {
    makes: 'assignment',
    times: 2,
    objectIsSource: true,
  }),
  attempt(
    'DELETE /configuration-policies/{id}/assignments/{assignmentId}',
    { id: 'policy', assignmentId: 'assignment' },
    undefined,
    { objectIsSource: true },
  ),
  attempt('POST /custom-fields', {}, field, { makes: 'field' }),
  attempt('PATCH /custom-fields/{id}', { id: 'field' }, (d) => ({ name: d.name() })),
  attempt('DELETE /custom-fields/{id}', { id: 'field' }),
  attempt('POST /custom-fields/import', {}, fieldRows),
  attempt('PATCH /devices/{id}/custom-fields', { id: 'device' }, (d) => ({ values: { planted: d.name() } })),
  attempt('POST /devices/custom-fields/import', {}, valueRows, { times: 2 }),
  attempt('POST /scripts', {}, script, { makes: 'script' }),
  attempt('PATCH /scripts/{id}', { id: 'script' }, (d) => ({ content: 'exit 1', name: d.name() })),
  attempt('DELETE /scripts/{id}', { id: 'script' }),
  attempt('POST /scripts/import', {}, (d) => ({ scripts: [script(d)] })),
];
