import { type AuditAction, AUDITED_RESOURCES } from '@gatehouse/contracts-core';
import { randomUUID } from 'node:crypto';
import { GATED, MUTATING, type Route } from './contract.ts';
import { type Person, type Place, type Told } from './recorder.ts';
import { invited, NOWHERE, type Stage, unique } from './stage.ts';

const REQUEST = 'pam.elevation_request';
/** Excludes routes that would end the session; a route without a requirement cannot refuse a caller. */
const HARMLESS = MUTATING.filter(({ kind, route }) => kind === 'user' && !route.includes(' /auth/'));

/** The address of such a call names something else than the entry of its success. */
const ABOUT_ANOTHER = [
  'pam.approval.approve',
  'pam.approval.deny',
  'pam.approval.report',
  'sso.identity.unlink',
  'sso.provider.metadata_change.apply',
  'sso.provider.metadata_change.dismiss',
  'DELETE /auth/mfa/factors/{id}',
];

/**
 * The audit action and the type of resource of a refused call: those of the call that succeeded earlier, or the
 * declared action for a route that leaves no entry.
 */
function entryOf({ log }: Stage, { route, audit }: Route): Pick<Told, 'action' | 'resource'> {
  const succeeded = log.calls.find((call) => call.route === route && call.entries[0]?.result === 'success')?.entries[0];
  const declared = typeof audit === 'string' ? audit : `${route} declares no action`;
  const action = succeeded?.action ?? declared;
  const type = [action, route].some((one) => ABOUT_ANOTHER.includes(one)) ? undefined : succeeded?.resource.type;
  return { action, resource: type ?? AUDITED_RESOURCES[action as AuditAction] };
}

async function refused(stage: Stage, routes: readonly Route[], as: Person, place: Place): Promise<void> {
  for (const route of routes) {
    const params = Object.fromEntries(
      [...route.route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, randomUUID()]),
    );
    const entry = entryOf(stage, route);
    // Its address names the organisation, and there is no contact yet.
    const isBelow = entry.action === 'contact.create';
    const id = isBelow ? null : (params['id'] ?? Object.values(params)[0] ?? null);
    const told: Told[] = [{ ...entry, id, place, result: 'denied' }];
    await stage.log.send(route.route, {
      as,
      params,
      told,
      status: 403,
      ...(route.method !== 'GET' && { body: { decision: 'approve' } }),
    });
  }
}

const openTo =
  (level: string) =>
  ({ levels }: Route): boolean =>
    !levels || levels.includes(level);

/** Every gated route refuses and records a caller without the second factor, the permission or the scope. */
export async function denials(stage: Stage): Promise<void> {
  const { roles, tenant, ofPartner } = stage;
  const operator = (await invited(stage, 'Partner Admin', { scope: 'system' })).person;
  await refused(
    stage,
    GATED.filter((route) => route.mfa && openTo('system')(route)),
    operator,
    NOWHERE,
  );
  const viewer = (await invited(stage, 'Partner Viewer')).person;
  await refused(
    stage,
    GATED.filter(
      (route) => /:(write|execute|request|export)$/.test(route.permission ?? '') && openTo('partner')(route),
    ),
    viewer,
    ofPartner,
  );
  const owner = (
    await invited(stage, 'Organization Admin', {
      scope: 'organization',
      orgId: tenant.orgId,
      roleId: roles.get('Organization Admin'),
    })
  ).person;
  await refused(
    stage,
    GATED.filter((route) => !openTo('organization')(route)),
    owner,
    { partnerId: tenant.partnerId, orgId: tenant.orgId },
  );
  await finerDenials(stage, operator);
}

/** Refusals that an operation decides, after the guards have let the request through. */
async function finerDenials({ log, boss, tenant, ofPartner }: Stage, operator: Person): Promise<void> {
  const { id } = await boss.api.must<{ id: string }>('POST', '/pam/elevation-requests', {
    deviceId: tenant.deviceId,
    reason: 'mine',
  });
  const at = { resource: REQUEST, id, result: 'denied' } as const;
  await log.send('POST /pam/elevation-requests/{id}/respond', {
    as: boss,
    params: { id },
    body: { decision: 'approve' },
    status: 403,
    told: [{ ...at, action: `${REQUEST}.approve` }],
  });
  await log.send('POST /pam/elevation-requests/{id}/respond', {
    as: operator,
    params: { id },
    body: { decision: 'deny' },
    status: 403,
    told: [{ ...at, action: `${REQUEST}.deny` }],
  });
  await log.send('POST /orgs/organizations', {
    as: boss,
    body: { partnerId: randomUUID(), name: 'x', slug: unique('x') },
    status: 403,
    told: [{ action: 'organization.create', resource: 'organization', id: null, place: ofPartner, result: 'denied' }],
  });
}

/** Wrong passwords and wrong second factors, once each; the answer reveals no more to the client than before. */
export async function failures(stage: Stage): Promise<void> {
  const { log, anonymous, ofPartner } = stage;
  const { person, email, password } = await invited(stage, 'Partner Viewer');
  const own = { resource: 'user', id: person.actor.id, place: ofPartner, result: 'failure' } as const;
  await log.send('POST /auth/login', {
    as: anonymous,
    body: { email, password: 'not the password' },
    status: 401,
    told: [{ ...own, action: 'user.login_failed' }],
  });
  await log.send('POST /auth/login', {
    as: anonymous,
    body: { email: 'nobody@example.test', password },
    status: 401,
    told: [{ ...own, action: 'user.login_failed', id: null, place: NOWHERE }],
  });
  const wrong = { currentPassword: 'not the password', newPassword: `another passphrase ${randomUUID()}` };
  await log.send('POST /auth/change-password', {
    as: person,
    body: wrong,
    status: 401,
    told: [{ ...own, action: 'user.password.change' }],
  });
  await log.send('POST /auth/mfa/step-up', {
    as: stage.boss,
    body: { code: '000000' },
    status: 400,
    told: [{ ...own, id: stage.boss.actor.id, action: 'user.mfa.verify' }],
  });
}

/** A malformed request, or one for an unknown resource, changes nothing and leaves no entry. */
export async function rollbacks({ log, boss }: Stage): Promise<void> {
  for (const { route, levels } of HARMLESS) {
    if (levels && !levels.includes('partner')) continue;
    const params = Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, randomUUID()]));
    const answer = await log.send(route, {
      as: boss,
      params,
      body: { name: 5, orgId: randomUUID(), email: 'x', headline: 5 },
      told: [],
      status: 'refused',
    });
    if (![400, 404, 409].includes(answer.status)) throw new Error(`${route}: ${answer.status}`);
  }
}
