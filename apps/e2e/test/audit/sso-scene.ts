import { samlSignInAs } from '@gatehouse/dev-idp';
import { type Answered, idOf, SYSTEM_ACTOR, type Person, type Told } from './recorder.ts';
import { Api } from '@gatehouse/stack';
import { invited, personOf, type Stage, unique } from './stage.ts';

type Json = Record<string, unknown>;

const cookieOf = ({ headers }: Answered<Json>): string =>
  headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
const landing = ({ headers }: Answered<Json>): string => headers.get('location') ?? '';
const codeIn = (answer: Answered<Json>): string => /#ssoCode=([\w-]+)/.exec(landing(answer))?.[1] ?? landing(answer);
/** The address to which the scripted provider redirects: it signs the user in without showing a page. */
const wayBack = async (url: string): Promise<string> =>
  new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '').search;

const provided = (action: string): Told[] => [{ action: `sso.provider.${action}`, resource: 'sso_provider' }];

/** The first sign-in of an unknown user creates the account and opens a session: two facts. */
const arrivalOf = ({ actor }: Person, providerId: string): Told[] => [
  { action: 'user.create', resource: 'user', id: actor.id, actor: SYSTEM_ACTOR },
  { action: 'sso.login.success', resource: 'sso_provider', id: providerId, actor },
];

export async function domains({ log, boss, dns, tenant }: Stage): Promise<void> {
  const told = (action: string): Told[] => [{ action: `sso.domain.${action}`, resource: 'sso_domain' }];
  const { data } = await log.call<{ data: { id: string; recordName: string; recordValue: string } }>(
    'POST /sso/domains',
    {
      as: boss,
      body: { orgId: tenant.orgId, domain: 'acme.example' },
      told: [{ action: 'sso.domain.create', resource: 'sso_domain', id: idOf }],
    },
  );
  dns.records[data.recordName] = { TXT: [data.recordValue] };
  await log.call('POST /sso/domains/{id}/verify', { as: boss, params: { id: data.id }, told: told('verify') });
}

/** Runs last, because the SAML sign-in needs the verified domain. */
export async function removeDomain({ log, boss, tenant }: Stage): Promise<void> {
  const { data } = await boss.api.must<{ data: { id: string }[] }>('GET', `/sso/domains?orgId=${tenant.orgId}`);
  await log.call('DELETE /sso/domains/{id}', {
    as: boss,
    params: { id: data[0]?.id ?? '' },
    told: [{ action: 'sso.domain.delete', resource: 'sso_domain' }],
  });
}

async function connect({ log, boss, tenant, roles }: Stage, provider: object): Promise<string> {
  const created = await log.call<{ data: { id: string } }>('POST /sso/providers', {
    as: boss,
    body: {
      orgId: tenant.orgId,
      name: unique('idp'),
      autoProvision: true,
      defaultRoleId: roles.get('Organization Technician'),
      ...provider,
    },
    told: [{ action: 'sso.provider.create', resource: 'sso_provider', id: idOf }],
  });
  const { id } = created.data;
  await log.call('POST /sso/providers/{id}/status', {
    as: boss,
    params: { id },
    body: { status: 'active' },
    told: provided('status.update'),
  });
  return id;
}

/** One round trip through the scripted provider. */
async function roundTrip({ log, anonymous, tenant }: Stage, told: Told[]): Promise<Answered<Json>> {
  const start = await log.send('GET /sso/login/{orgId}', { as: anonymous, params: { orgId: tenant.orgId }, told: [] });
  return log.send('GET /sso/callback', {
    as: anonymous,
    query: await wayBack(landing(start)),
    cookie: cookieOf(start),
    told,
  });
}

/** The administrator tries the round trip, which leaves its own record alone. */
async function testSignIn({ log, boss, anonymous }: Stage, id: string): Promise<void> {
  const begun = await log.send('POST /sso/providers/{id}/test-sign-ins', { as: boss, params: { id }, told: [] });
  const { data } = begun.body as { data: { id: string; url: string } };
  await log.send('GET /sso/callback', {
    as: anonymous,
    query: await wayBack(data.url),
    cookie: cookieOf(begun),
    told: [{ action: 'sso.provider.test', resource: 'sso_provider', id, actor: boss.actor }],
  });
  await log.call('GET /sso/test-sign-ins/{id}', { as: boss, params: { id: data.id }, told: [] });
}

export async function openIdConnect(stage: Stage): Promise<void> {
  const { log, boss, idp, anonymous } = stage;
  const id = await connect(stage, {
    type: 'oidc',
    issuer: idp.issuer,
    clientId: idp.clientId,
    clientSecret: idp.clientSecret,
  });
  const params = { id };
  await log.call('PATCH /sso/providers/{id}', {
    as: boss,
    params,
    body: { clientSecret: idp.clientSecret, name: unique('renamed'), trustsIdpMfa: true },
    told: provided('update'),
  });
  await log.call('POST /sso/providers/{id}/test', { as: boss, params, told: provided('test') });
  await testSignIn(stage, id);
  await log.call('POST /auth/sso-discovery', { as: anonymous, body: { email: 'ada@acme.example' }, told: [] });
  idp.identity = { ...idp.identity, sub: unique('sub'), email: `${unique('ada')}@acme.example`, amr: ['pwd', 'mfa'] };
  const back = await roundTrip(stage, []);
  const { accessToken } = await log.call<{ accessToken: string }>('POST /sso/exchange', {
    as: anonymous,
    cookie: cookieOf(back),
    body: { code: codeIn(back) },
    told: [],
  });
  const person = await personOf(boss.api.as(accessToken));
  log.tell(back.requestId, arrivalOf(person, id));
  await linking(stage, id, await confirmation(stage, id));
  await log.call('PUT /sso/providers/{id}/enforcement', {
    as: boss,
    params,
    body: { stage: 'observe' },
    told: [{ action: 'sso.enforcement.stage', resource: 'sso_provider' }],
  });
  await log.call('DELETE /sso/providers/{id}', { as: boss, params, told: provided('delete') });
}

/**
 * The user's session with a second factor of their own: neither a provider's assertion of a second factor nor one that
 * its session enrolled permits linking.
 */
async function withOwnFactor(person: Person): Promise<Person> {
  const { secret } = await person.api.must<{ secret: string }>('POST', '/auth/mfa/totp/enroll', {});
  const { accessToken } = await person.api.must<{ accessToken: string }>('POST', '/auth/mfa/totp/confirm', {
    code: await Api.codeFor(secret),
  });
  return { ...person, api: person.api.as(accessToken) };
}

/** A user removes an identity link and links the identity again. */
async function linking({ log, anonymous }: Stage, providerId: string, person: Person): Promise<void> {
  const params = { providerId };
  const own = { resource: 'user', id: person.actor.id, actor: person.actor } as const;
  const verified = await withOwnFactor(person);
  await log.call('DELETE /sso/link/{providerId}', {
    as: verified,
    params,
    told: [{ ...own, action: 'sso.identity.unlink' }],
  });
  const started = await log.send('POST /sso/link/start/{providerId}', { as: verified, params, told: [] });
  await log.send('GET /sso/callback', {
    as: anonymous,
    query: await wayBack(String(started.body['authUrl'])),
    cookie: cookieOf(started),
    told: [{ ...own, action: 'sso.identity.link' }],
  });
}

/** A user with a password signs in by single sign-on and proves that the account is theirs. */
async function confirmation(stage: Stage, providerId: string): Promise<Person> {
  const { log, anonymous, idp, tenant } = stage;
  const { person, email, password } = await invited(stage, 'Organization Technician', {
    scope: 'organization',
    orgId: tenant.orgId,
  });
  idp.identity = { ...idp.identity, sub: unique('sub'), email };
  const parked = await roundTrip(stage, []);
  await log.call('POST /sso/link/confirm', {
    as: { ...anonymous, actor: person.actor },
    cookie: cookieOf(parked),
    body: { password },
    told: [
      { action: 'sso.identity.link', resource: 'user', id: person.actor.id },
      { action: 'sso.login.success', resource: 'sso_provider', id: providerId },
    ],
  });
  return person;
}

export async function saml(stage: Stage): Promise<void> {
  const { log, anonymous, tenant, saml: idp } = stage;
  const id = await connect(stage, {
    type: 'saml',
    entityId: idp.entityId,
    ssoUrl: idp.ssoUrl,
    certificate: idp.certificates.join('\n'),
    metadataUrl: idp.metadataUrl,
    metadataPolicy: 'hold',
  });
  await log.call('POST /sso/providers/{id}/encryption-key', {
    as: stage.boss,
    params: { id },
    told: provided('update'),
  });
  await log.call('POST /sso/providers/metadata', { as: stage.boss, body: { url: idp.entityId }, told: [] });
  const start = await log.send('GET /sso/saml/login/{orgId}', {
    as: anonymous,
    params: { orgId: tenant.orgId },
    told: [],
  });
  const { form } = await samlSignInAs('', landing(start));
  const received = await log.send('POST /sso/saml/acs', { as: anonymous, form, told: [] });
  const back = await log.send('GET /sso/saml/complete', {
    as: anonymous,
    query: new URL(landing(received), 'http://x').search,
    cookie: cookieOf(start),
    told: [],
  });
  const { accessToken } = await log.call<{ accessToken: string }>('POST /sso/exchange', {
    as: anonymous,
    cookie: cookieOf(back),
    body: { code: codeIn(back) },
    told: [],
  });
  log.tell(back.requestId, arrivalOf(await personOf(stage.boss.api.as(accessToken)), id));
  await rollover(stage, id);
}

/** The provider announces its next certificate, which waits for approval, and then withdraws the first. */
async function rollover({ log, boss, tenant, saml: idp }: Stage, id: string): Promise<void> {
  const refresh = async (): Promise<string> => {
    const { data } = await log.call<{ data: { change: { id: string } } }>('POST /sso/providers/{id}/metadata/refresh', {
      as: boss,
      params: { id },
      told: [{ action: 'sso.provider.metadata_change.detect', resource: 'sso_provider', id, actor: SYSTEM_ACTOR }],
    });
    return data.change.id;
  };
  await idp.prepareRollover();
  await log.call('POST /sso/metadata-changes/{id}/apply', {
    as: boss,
    params: { id: await refresh() },
    told: [
      { action: 'sso.provider.metadata_change.apply', resource: 'sso_provider', id },
      { action: 'sso.provider.update', resource: 'sso_provider', id },
    ],
  });
  idp.completeRollover();
  await log.call('POST /sso/metadata-changes/{id}/dismiss', {
    as: boss,
    params: { id: await refresh() },
    told: [{ action: 'sso.provider.metadata_change.dismiss', resource: 'sso_provider', id }],
  });
  await log.call('PUT /sso/settings', {
    as: boss,
    query: `?orgId=${tenant.orgId}`,
    body: { renewLinkInAlerts: true },
    told: [{ action: 'sso.settings.update', resource: 'sso_settings', id: tenant.orgId }],
  });
}

/** The visitor of a set-up link sets up a provider, tests it, proves a domain and switches the provider on. */
export async function setupLinks(stage: Stage): Promise<void> {
  const { log, boss, anonymous, idp, dns, tenant, roles } = stage;
  const made = { action: 'sso.setup_link.create', resource: 'sso_setup_link', id: idOf };
  const link = async (): Promise<{ id: string; url: string }> => {
    const defaultRoleId = roles.get('Organization Technician');
    const body = { orgId: tenant.orgId, mayActivate: true, defaultRoleId };
    const { data } = await log.call<{ data: { id: string; url: string } }>('POST /sso/setup-links', {
      as: boss,
      body,
      told: [made],
    });
    return data;
  };
  const { id } = await link();
  await log.call('DELETE /sso/setup-links/{id}', {
    as: boss,
    params: { id },
    told: [{ action: 'sso.setup_link.revoke', resource: 'sso_setup_link' }],
  });
  const { id: linkId, url } = await link();
  const actor = { type: 'setup_link', id: linkId } as const;
  const { data } = await log.call<{ data: { visitToken: string } }>('POST /sso/setup/visits', {
    as: anonymous,
    body: { token: url.split('#')[1] },
    told: [{ action: 'sso.setup_link.open', resource: 'sso_setup_link', id: linkId, actor }],
  });
  const as = { api: anonymous.api.as(data.visitToken), actor };
  const { issuer, clientId, clientSecret } = idp;
  const put = await log.send('PUT /sso/setup/provider', {
    as,
    body: { type: 'oidc', issuer, clientId, clientSecret },
    told: [],
  });
  const providerId = await boss.api
    .must<{ data: { providerId: string } }>('GET', `/sso/setup-links/${linkId}`)
    .then((answer) => answer.data.providerId);
  const ofProvider = { resource: 'sso_provider', id: providerId, actor };
  log.tell(put.requestId, [{ ...ofProvider, action: 'sso.provider.create' }]);
  await log.call('POST /sso/setup/metadata', { as, body: { url: stage.saml.entityId }, told: [] });
  const domain = await log.call<{ data: { id: string; recordName: string; recordValue: string } }>(
    'POST /sso/setup/domains',
    {
      as,
      body: { domain: 'setup.example' },
      told: [{ action: 'sso.domain.create', resource: 'sso_domain', id: idOf }],
    },
  );
  dns.records[domain.data.recordName] = { TXT: [domain.data.recordValue] };
  await log.call('POST /sso/setup/domains/{id}/verify', {
    as,
    params: { id: domain.data.id },
    told: [{ action: 'sso.domain.verify', resource: 'sso_domain' }],
  });
  idp.identity = { ...idp.identity, sub: unique('sub'), email: `${unique('ada')}@setup.example` };
  const test = await log.send<{ data: { id: string; url: string } }>('POST /sso/setup/test-sign-ins', { as, told: [] });
  await log.send('GET /sso/callback', {
    as: anonymous,
    query: await wayBack(test.body.data.url),
    cookie: cookieOf({ ...test, body: {} }),
    told: [{ ...ofProvider, action: 'sso.provider.test' }],
  });
  await log.call('GET /sso/setup/test-sign-ins/{id}', { as, params: { id: test.body.data.id }, told: [] });
  await log.call('GET /sso/setup', { as, told: [] });
  await log.call('POST /sso/setup/complete', {
    as,
    body: { activate: true },
    told: [
      { ...ofProvider, action: 'sso.provider.status.update' },
      { action: 'sso.setup_link.complete', resource: 'sso_setup_link', id: linkId },
    ],
  });
  const renewal = await log.call<{ data: { id: string; url: string } }>('POST /sso/setup-links', {
    as: boss,
    body: { providerId, purpose: 'renew' },
    told: [made],
  });
  const renews = { type: 'setup_link', id: renewal.data.id } as const;
  const visit = await log.call<{ data: { visitToken: string } }>('POST /sso/setup/visits', {
    as: anonymous,
    body: { token: renewal.data.url.split('#')[1] },
    told: [{ action: 'sso.setup_link.open', resource: 'sso_setup_link', id: renewal.data.id, actor: renews }],
  });
  const { configVersion } = (
    await boss.api.must<{ data: { configVersion: number } }>('GET', `/sso/providers/${providerId}`)
  ).data;
  await log.call('PUT /sso/setup/provider', {
    as: { api: anonymous.api.as(visit.data.visitToken), actor: renews },
    body: { clientSecret, configVersion },
    told: [{ ...ofProvider, action: 'sso.provider.update', actor: renews }],
  });
  await boss.api.must('DELETE', `/sso/providers/${providerId}`);
}
