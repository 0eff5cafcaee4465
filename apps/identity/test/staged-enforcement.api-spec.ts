import { type Principal, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { SsoEnforcementChanged } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { newSamlKey } from '@gatehouse/dev-idp';
import { anOrgAdmin, anOrgTechnician } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { DeliverMail } from '../src/mail/deliver-mail.ts';
import { EnforcementService } from '../src/providers/configuration/enforcement.service.ts';
import { totp } from './identity.harness.ts';
import { besideAnIdp, errorIn, landing, type ScriptedIdp, type SsoHarness, type Tenant } from './sso.harness.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

let idp: ScriptedIdp;
let sso: SsoHarness;
let tenant: Tenant;
besideAnIdp((made) => ({ idp, sso, tenant } = made));

const admin = () => sso.service.as(tenant.admin);

describe('the preview of enforcement', () => {
  it('says of eight kinds of people what then really happens to each (SSO-141)', async () => {
    const domain = await proven();
    const id = await tested({ allowedDomains: `corp.example,${domain}` });
    const other = await sso.provider(tenant, idp, { name: 'Other' });
    const people = {
      linked: await someone('corp.example', PASSWORD),
      wouldLink: await someone(domain),
      vouchedFor: await someone(domain, PASSWORD),
      mustProve: await someone('corp.example', PASSWORD),
      breakGlass: await someone('corp.example', PASSWORD),
      ofOtherProvider: await someone(domain),
      notAllowed: await someone('elsewhere.example', PASSWORD),
      onlyKeys: await someone(domain),
    };
    await link(id, people.linked);
    await link(other, people.ofOtherProvider);
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [people.breakGlass.userId]);
    await sso.service.sql(
      `INSERT INTO api_keys (id, user_id, membership_id, partner_id, org_id, name, key_hash, hint, permissions)
        VALUES ($1, $2, $3, $4, $5, 'k', $6, 'h', '{}')`,
      [newId(), people.onlyKeys.userId, people.onlyKeys.membershipId, tenant.partnerId, tenant.orgId, newId()],
    );
    await sso.identity.login(people.mustProve.email, PASSWORD);
    const { users, summary } = await preview(id);
    const told = (person: Someone) => users.find(({ userId }) => userId === person.userId);
    expect(Object.entries(people).map(([kind, one]) => [kind, told(one)?.outcome, told(one)?.reasons])).toEqual([
      ['linked', 'signs_in', ['never_signed_in']],
      ['wouldLink', 'links_at_first_sign_in', ['never_signed_in']],
      ['vouchedFor', 'links_at_first_sign_in', ['never_signed_in']],
      ['mustProve', 'proves_account', ['domain_not_verified']],
      ['breakGlass', 'exempt', ['never_signed_in']],
      ['ofOtherProvider', 'links_at_first_sign_in', ['identity_of_other_provider', 'never_signed_in']],
      ['notAllowed', 'stuck', ['domain_not_allowed', 'domain_not_verified', 'never_signed_in']],
      ['onlyKeys', 'links_at_first_sign_in', ['never_signed_in', 'only_api_keys']],
    ]);
    expect(told(people.mustProve)).toMatchObject({
      linked: false,
      openPasswordSessions: 1,
      apiKeys: 0,
      lastSsoSignInAt: null,
    });
    expect(told(people.onlyKeys)).toMatchObject({ openPasswordSessions: 0, apiKeys: 1 });
    // The person who tested the provider is linked too.
    expect(summary).toEqual({ signsIn: 2, links: 4, provesAccount: 1, stuck: 1, exempt: 1 });
    expect((await put(id, { stage: 'enforce', confirmStuck: 1 })).status).toBe(200);
    for (const one of Object.values(people))
      expect((await met(one, one === people.linked, {})).replace(/ .*/, '')).toBe(told(one)?.outcome);
  });

  it('takes from the last sign-ins whether the provider vouches for addresses (SSO-142)', async () => {
    const domain = await proven();
    const id = await sso.provider(tenant, idp);
    const silent = { email_verified: undefined };
    expect(landing(await signIn((await someone(domain)).email, silent))).toContain('#ssoCode=');
    const people = [await someone('corp.example'), await someone(domain, PASSWORD), await someone(domain)];
    const { users } = await preview(id);
    const told = people.map(({ userId }) => users.find((user) => user.userId === userId));
    expect(told.map((one) => one?.outcome)).toEqual(['stuck', 'proves_account', 'links_at_first_sign_in']);
    expect(told[0]?.reasons).toContain('domain_not_verified');
    expect((await put(id, { stage: 'enforce', confirmStuck: 1 })).status).toBe(200);
    const real = [];
    for (const one of people) real.push(await met(one, false, silent));
    expect(real).toEqual(['stuck email_unverified', 'proves_account', 'links_at_first_sign_in']);
  });

  /** What a person meets once enforcement is on. */
  async function met({ email, userId }: Someone, linked: boolean, more: object): Promise<string> {
    const [user] = await sso.service.sql<{ break_glass: boolean }>('SELECT break_glass FROM users WHERE id = $1', [
      userId,
    ]);
    if (user?.break_glass) return (await sso.identity.login(email, PASSWORD)).status === 200 ? 'exempt' : 'refused';
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
    const back = await signIn(email, more);
    if (landing(back).includes('#ssoCode=')) return linked ? 'signs_in' : 'links_at_first_sign_in';
    return errorIn(back) === 'link_required' ? 'proves_account' : `stuck ${errorIn(back)}`;
  }
});

describe('a stage of enforcement', () => {
  it('goes from observing to warning to enforcing, and each step is recorded and told (SSO-140)', async () => {
    const id = await tested();
    expect(await stateOf(id)).toMatchObject({ enforcement: { stage: 'off', enforceAt: null, startedAt: null } });
    const enforceAt = inHours(24 * 30);
    for (const body of [{ stage: 'observe' }, { stage: 'warn', enforceAt }, { stage: 'enforce' }, { stage: 'off' }]) {
      const { status, body: answer } = await put(id, body);
      expect([status, answer.data.enforceSSO]).toEqual([200, body.stage === 'enforce']);
      expect(answer.data.enforcement).toEqual({
        stage: body.stage,
        enforceAt: body.enforceAt ?? null,
        startedAt: body.stage === 'off' ? null : expect.any(String),
      });
    }
    expect((await announcements(id)).map(({ stage, cause }) => [stage, cause])).toEqual(
      ['observe', 'warn', 'enforce', 'off'].map((stage) => [stage, 'person']),
    );
    const records = (await sso.service.audits('sso.enforcement.stage')).filter(({ resource }) => resource.id === id);
    expect(records.map(({ details }) => details['changes'])).toMatchObject([
      { stage: { before: 'off', after: 'observe' } },
      { stage: { before: 'observe', after: 'warn' }, enforceAt: { before: null, after: enforceAt } },
      { stage: { before: 'warn', after: 'enforce' } },
      { stage: { before: 'enforce', after: 'off' } },
    ]);
  });

  it.each([
    [{ stage: 'warn' }],
    [{ stage: 'warn', enforceAt: inHours(0.5) }],
    [{ stage: 'warn', enforceAt: inHours(24 * 91) }],
    [{ stage: 'enforce', enforceAt: inHours(24) }],
    [{ stage: 'observe', fallback: { enabled: true } }],
    [{ stage: 'sometimes' }],
    [{ enforceAt: inHours(24) }],
  ])('is refused as %j, and nothing changes', async (body) => {
    const id = await tested();
    expect((await put(id, body)).body).toMatchObject({ status: 400, code: 'validation_failed' });
    expect((await stateOf(id)).enforcement.stage).toBe('off');
  });

  it('needs a tested provider, or force, from the date on (SSO-143)', async () => {
    const id = await sso.provider(tenant, idp);
    const warn = { stage: 'warn', enforceAt: inHours(48) };
    for (const body of [warn, { stage: 'enforce' }])
      expect((await put(id, body)).body).toMatchObject({ status: 409, code: 'sso_enforcement_untested' });
    expect((await put(id, { stage: 'observe' })).status).toBe(200);
    expect((await put(id, { ...warn, force: true })).status).toBe(200);
    expect((await put(id, { stage: 'enforce', force: true })).status).toBe(200);
    expect((await sso.service.audits('sso.enforcement.stage')).at(-1)?.details).toMatchObject({
      enforcementForced: true,
    });
  });

  it('STAGE-05: needs the number of those who would be stuck now, not that of an older preview (SSO-144)', async () => {
    const id = await tested({ allowedDomains: 'corp.example' });
    await someone('elsewhere.example');
    const { stuck } = (await preview(id)).summary as { stuck: number };
    await someone('elsewhere.example');
    for (const body of [{ stage: 'enforce' }, { stage: 'warn', enforceAt: inHours(48) }])
      expect((await put(id, { ...body, confirmStuck: stuck })).body).toMatchObject({
        status: 409,
        code: 'people_would_be_stuck',
        stuck: 2,
      });
    expect((await stateOf(id)).enforcement.stage).toBe('off');
    expect((await put(id, { stage: 'enforce', confirmStuck: 2 })).status).toBe(200);
    await put(id, { stage: 'off' });
    await sso.service.sql(
      `DELETE FROM memberships m USING users u
      WHERE u.id = m.user_id AND m.org_id = $1 AND u.email LIKE '%@elsewhere.example'`,
      [tenant.orgId],
    );
    const older = await put(id, { stage: 'enforce', confirmStuck: 2 });
    expect(older.body).toMatchObject({ code: 'people_would_be_stuck', stuck: 0 });
    expect((await put(id, { stage: 'enforce' })).status).toBe(200);
  });

  it('that stands already is neither changed, recorded nor told by a request for it (SSO-200)', async () => {
    const id = await tested();
    const { version } = await stateOf(id);
    for (const body of [{ stage: 'off' }, { stage: 'warn', enforceAt: inHours(48) }, { stage: 'enforce' }])
      for (const _ of [1, 2]) expect((await put(id, body)).status).toBe(200);
    const records = (await sso.service.audits('sso.enforcement.stage')).filter(({ resource }) => resource.id === id);
    const newer = (await stateOf(id)).version - version;
    expect([(await announcements(id)).length, records.length, newer]).toEqual([2, 2, 2]);
    const weak = { ...tenant.admin, permissions: ['organizations:write'] as Principal['permissions'] };
    expect((await put(id, { stage: 'enforce' }, sso.service.as(weak))).status).toBe(403);
  });

  it('is taken over by another person who asks for the same date again (SSO-200)', async () => {
    const id = await tested();
    const [first, next, body] = [await someone(), await someone(), { stage: 'warn', enforceAt: inHours(48) }];
    for (const { userId, membershipId } of [first, first, next])
      await put(id, body, sso.service.as({ ...tenant.admin, id: userId, userId, membershipId }));
    const rows = await sso.service.sql('SELECT enforcement_by FROM sso_providers WHERE id = $1', [id]);
    expect([rows, (await announcements(id)).length]).toEqual([[{ enforcement_by: next.userId }], 2]);
  });

  it('is not announced again by a request that repeats stage and date (SSO-194)', async () => {
    const id = await tested();
    const { email } = await someone();
    const enforceAt = inHours(24 * 30);
    for (const at of [enforceAt, enforceAt, inHours(24 * 40)]) {
      expect((await put(id, { stage: 'warn', enforceAt: at })).body.data.enforcement.enforceAt).toBe(at);
      await round();
    }
    expect(await mailsTo(email)).toHaveLength(2);
  });

  it('is previewed by those who may set it alone: a preview that is refused is recorded (SSO-195)', async () => {
    const id = await tested();
    const as = sso.service.as(anOrgTechnician(tenant.partnerId, tenant.orgId));
    expect((await as.get(`/sso/providers/${id}/enforcement-preview`)).status).toBe(403);
    expect(await sso.service.audits('sso.enforcement.stage')).toContainEqual(
      expect.objectContaining({ result: 'denied', resource: expect.objectContaining({ id }) }),
    );
  });

  it('is set only on an active provider, stays when it leaves that status, and has no effect then (SSO-145)', async () => {
    const id = await tested();
    const { email } = await someone('corp.example', PASSWORD);
    const status = (to: string) => admin().post(`/sso/providers/${id}/status`).send({ status: to });
    await put(id, { stage: 'enforce' });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
    await status('inactive');
    expect((await stateOf(id)).enforcement.stage).toBe('enforce');
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(200);
    for (const stage of ['observe', 'warn', 'enforce'])
      expect((await put(id, { stage, ...(stage === 'warn' && { enforceAt: inHours(48) }) })).body).toMatchObject({
        status: 409,
        code: 'sso_provider_not_active',
      });
    await status('active');
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
    await status('inactive');
    expect((await put(id, { stage: 'off' })).status).toBe(200);
  });

  it('follows enforceSSO of a PATCH, also when that takes back a date (SSO-146)', async () => {
    const id = await tested();
    const patch = (enforceSSO: boolean) => admin().patch(`/sso/providers/${id}`).send({ enforceSSO });
    await put(id, { stage: 'warn', enforceAt: inHours(48) });
    expect((await patch(false)).body.data.enforcement).toEqual({ stage: 'off', enforceAt: null, startedAt: null });
    const changes = { stage: { before: 'warn', after: 'off' }, enforceAt: { after: null } };
    expect((await sso.service.audits('sso.provider.update')).at(-1)?.details).toMatchObject({ changes });
    expect((await patch(true)).body.data.enforcement).toMatchObject({ stage: 'enforce', enforceAt: null });
    expect((await announcements(id)).map(({ stage }) => stage)).toEqual(['warn', 'off', 'enforce']);
  });

  it('follows the release before, which writes enforce_sso alone', async () => {
    const id = await tested();
    await put(id, { stage: 'warn', enforceAt: inHours(48) });
    const write = (enforces: boolean) =>
      sso.service.sql('UPDATE sso_providers SET enforce_sso = $2 WHERE id = $1', [id, enforces]);
    await write(true);
    expect((await stateOf(id)).enforcement).toMatchObject({ stage: 'enforce', enforceAt: null });
    await write(false);
    expect((await stateOf(id)).enforcement.stage).toBe('off');
  });

  it('is set by an administrator with every permission of those it would govern (SSO-147)', async () => {
    const id = await tested();
    const { partnerId, orgId } = tenant;
    await sso.user({
      email: `${newId()}@corp.example`,
      partnerId,
      orgId,
      role: ORG_ADMIN as string,
      password: PASSWORD,
    });
    const weak = sso.service.as(
      anOrgAdmin(partnerId, orgId, { permissions: ['organizations:write', 'organizations:read'] }),
    );
    for (const body of [{ stage: 'enforce' }, { stage: 'warn', enforceAt: inHours(48) }])
      expect((await put(id, body, weak)).body).toMatchObject({
        status: 403,
        code: 'role_not_grantable',
        missing: expect.arrayContaining(['users:write']),
      });
    expect((await put(id, { stage: 'observe' }, weak)).status).toBe(200);
    expect((await put(id, { stage: 'enforce' }, sso.service.as(anOrgTechnician(partnerId, orgId)))).status).toBe(403);
    const stranger = await sso.tenant();
    expect((await put(id, { stage: 'off' }, sso.service.as(stranger.admin))).body.code).toBe('sso_provider_not_found');
  });
});

describe('a date of enforcement', () => {
  it('STAGE-04: begins it, which ends password sessions from before (SSO-148)', async () => {
    const id = await tested();
    const { email } = await someone('corp.example', PASSWORD);
    expect((await put(id, { stage: 'warn', enforceAt: inHours(2) })).status).toBe(200);
    const { accessToken } = (await sso.identity.login(email, PASSWORD)).body as { accessToken: string };
    await round();
    expect((await stateOf(id)).enforcement.stage).toBe('warn');
    await bringDate(id);
    await round();
    expect(await stateOf(id)).toMatchObject({ enforceSSO: true, enforcement: { stage: 'enforce', enforceAt: null } });
    expect(await sso.identity.introspect(accessToken)).toMatchObject({ active: false });
    expect((await sso.identity.login(email, PASSWORD)).status).toBe(401);
    expect((await announcements(id)).at(-1)).toMatchObject({ stage: 'enforce', cause: 'schedule' });
    expect((await sso.service.audits('sso.enforcement.stage')).at(-1)).toMatchObject({
      resource: { id },
      orgId: tenant.orgId,
      details: { cause: 'schedule', setBy: tenant.admin.userId },
    });
  });

  const OBSTACLES: readonly [string, (id: string) => Promise<unknown>][] = [
    ['sso_provider_not_active', (id) => admin().post(`/sso/providers/${id}/status`).send({ status: 'inactive' })],
    [
      'sso_provider_incomplete',
      (id) => sso.service.sql('UPDATE sso_providers SET client_id = NULL WHERE id = $1', [id]),
    ],
    ['sso_enforcement_untested', (id) => admin().patch(`/sso/providers/${id}`).send({ clientSecret: 'another' })],
    ['role_not_grantable', () => sso.service.sql('DELETE FROM memberships WHERE user_id = $1', [tenant.admin.userId])],
    [
      'certificates_expired',
      async (id) => {
        const { certificatePem } = await newSamlKey({ validDays: -1 });
        const sql = `UPDATE sso_providers SET type = 'saml', entity_id = $2, sso_url = $2, certificate = $3 WHERE id = $1`;
        await sso.service.sql(sql, [id, idp.issuer, certificatePem]);
      },
    ],
    [
      'organization_frozen',
      () => sso.service.sql(`UPDATE org_ref SET status = 'archived' WHERE org_id = $1`, [tenant.orgId]),
    ],
  ];
  it.each(OBSTACLES)('is put off by a day while there is %s, which is told (SSO-149)', async (reason, hinder) => {
    const id = await tested();
    const other = `${newId()}@corp.example`;
    await sso.user({ email: other, partnerId: tenant.partnerId, role: '00000000-0000-7000-8000-000000000001' });
    await put(id, { stage: 'warn', enforceAt: inHours(2) });
    await hinder(id);
    await bringDate(id);
    await round();
    const { enforcement } = await stateOf(id);
    expect(enforcement.stage).toBe('warn');
    const ahead = Date.parse(enforcement.enforceAt ?? '') - Date.now();
    expect([ahead > 23 * HOUR_MS, ahead <= 24 * HOUR_MS]).toEqual([true, true]);
    expect(await preview(id)).toMatchObject({ postponedBecause: reason, enforceAt: enforcement.enforceAt });
    expect((await sso.service.audits('sso.enforcement.postpone')).at(-1)).toMatchObject({
      resource: { id },
      details: { reason, cause: 'schedule' },
    });
    expect((await announcements(id)).at(-1)).toMatchObject({ stage: 'warn', enforceAt: enforcement.enforceAt });
    expect((await mailsTo(other)).at(-1)).toMatch(new RegExp(`was not enforced[^]+/sign-on/${id}\r\n`));
  });

  it('is mailed to people without a link at the start, seven days and one day before (SSO-150)', async () => {
    const id = await tested();
    const [unlinked, linked, emergency] = [await someone(), await someone(), await someone()];
    await link(id, linked);
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [emergency.userId]);
    await put(id, { stage: 'warn', enforceAt: inHours(24 * 30) });
    const come = async (days: number): Promise<number> => {
      await sso.service.sql(
        `UPDATE sso_providers SET enforce_at = now() + make_interval(hours => $2),
           enforcement_notice_at = enforcement_notice_at - (enforce_at - now() - make_interval(hours => $2)) WHERE id = $1`,
        [id, Math.round(days * 24)],
      );
      await round();
      return (await mailsTo(unlinked.email)).length;
    };
    await round();
    const [first] = await mailsTo(unlinked.email);
    expect(first).toContain('Your password for Org');
    expect(first).toContain(`/api/v1/sso/login/${tenant.orgId}`);
    expect([
      await come(20),
      await come(8),
      await come(6.5),
      await come(6.5),
      await come(2),
      await come(0.5),
      await come(0.25),
    ]).toEqual([1, 1, 2, 2, 2, 3, 3]);
    expect([await mailsTo(linked.email), await mailsTo(emergency.email)]).toEqual([[], []]);
  });
});

describe('a sign-in with a password', () => {
  it('is counted while enforcement is observed, and changes nothing for the person (SSO-151)', async () => {
    const id = await tested();
    const { email, userId } = await someone('corp.example', PASSWORD);
    const login = async () => {
      const { body } = await sso.identity.login(email, PASSWORD);
      const records = (await sso.service.audits('user.login')).filter(({ resource }) => resource.id === userId);
      return { body: body as Record<string, unknown>, counted: records.at(-1)?.details['wouldBeGoverned'] };
    };
    const before = await login();
    await put(id, { stage: 'observe' });
    const observed = await login();
    expect([before.counted, observed.counted]).toEqual([undefined, true]);
    expect(Object.keys(observed.body)).toEqual(Object.keys(before.body));
    await admin().post(`/sso/providers/${id}/status`).send({ status: 'inactive' });
    expect((await login()).counted).toBeUndefined();
  });

  it('STAGE-03: tells of the date only together with tokens, after both factors (SSO-152)', async () => {
    const id = await tested({ name: 'Corporate' });
    const enforceAt = inHours(48);
    const guarded = await someone('corp.example', PASSWORD);
    const secret = await enrolled(guarded.email);
    await put(id, { stage: 'warn', enforceAt });
    const notice = {
      kind: 'sso_enforcement',
      providerName: 'Corporate',
      enforceAt,
      loginUrl: `/api/v1/sso/login/${tenant.orgId}`,
    };
    const plain = await someone('corp.example', PASSWORD);
    const emergency = await someone('corp.example', PASSWORD);
    await sso.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [emergency.userId]);
    expect((await sso.identity.login(plain.email, PASSWORD)).body).toMatchObject({
      accessToken: expect.any(String),
      notice,
    });
    const wrong = await sso.identity.login(plain.email, 'another password entirely');
    const unknown = await sso.identity.login(`${newId()}@corp.example`, PASSWORD);
    const { requestId: _w, ...told } = wrong.body;
    const { requestId: _u, ...same } = unknown.body;
    expect(told).toEqual(same);
    const asked = await sso.identity.login(guarded.email, PASSWORD);
    expect(asked.body).toEqual({ mfaRequired: true, mfaToken: expect.any(String), methods: ['totp', 'recovery_code'] });
    const entered = await sso.anonymous
      .post('/auth/mfa/verify')
      .send({ mfaToken: asked.body.mfaToken, code: totp(secret, 1) });
    expect(entered.body).toMatchObject({ notice });
    expect((await sso.identity.login(emergency.email, PASSWORD)).body).not.toHaveProperty('notice');
    const elsewhere = await sso.tenant();
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        VALUES ($1, $2, 'organization', $3, $4, $5)`,
      [newId(), plain.userId, elsewhere.partnerId, elsewhere.orgId, ORG_ADMIN],
    );
    const choice = (await sso.identity.login(plain.email, PASSWORD)).body as {
      memberships: { orgId: string; id: string }[];
    };
    expect(JSON.stringify(choice)).not.toMatch(/upcoming|Corporate|governed/);
    const there = choice.memberships.find(({ orgId }) => orgId === elsewhere.orgId)?.id;
    expect((await sso.identity.login(plain.email, PASSWORD, { membershipId: there })).body).not.toHaveProperty(
      'notice',
    );
  });
});

const PASSWORD = 'an uncommon pass phrase';
const ORG_ADMIN = SYSTEM_ROLES.find(({ name }) => name === 'Organization Admin')?.id;

interface Someone {
  readonly userId: string;
  readonly membershipId: string;
  readonly email: string;
}

async function someone(domain = 'corp.example', password?: string): Promise<Someone> {
  const email = `${newId()}@${domain}`;
  const { partnerId, orgId } = tenant;
  return { email, ...(await sso.user({ email, partnerId, orgId, ...(password && { password }) })) };
}

async function proven(): Promise<string> {
  const domain = `d${newId()}.example`;
  await sso.service.sql(
    'INSERT INTO sso_domains (id, partner_id, org_id, domain, token, verified_at) VALUES ($1, $2, $3, $4, $5, now())',
    [newId(), tenant.partnerId, tenant.orgId, domain, newId()],
  );
  return domain;
}

const identityOf = (email: string, more: object = {}) => ({
  sub: email,
  email,
  email_verified: true,
  name: 'P',
  ...more,
});
async function signIn(email: string, more: object = {}) {
  idp.identity = identityOf(email, more);
  return sso.signIn(tenant);
}
const link = (providerId: string, { userId, email }: Someone) =>
  sso.service.sql(
    `INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id, email, profile_sealed)
      VALUES ($1, $2, $3, $4, $5, $6, $6, 'x')`,
    [newId(), userId, providerId, tenant.partnerId, tenant.orgId, email],
  );
const put = (id: string, body: object, as = admin()) => as.put(`/sso/providers/${id}/enforcement`).send(body);
const preview = async (id: string) =>
  (await admin().get(`/sso/providers/${id}/enforcement-preview`)).body.data as {
    users: { userId: string; outcome: string; reasons: string[] }[];
    summary: Record<string, number>;
    [member: string]: unknown;
  };
const DUE = `SELECT id FROM sso_providers WHERE enforce_at <= now() OR enforcement_notice_at <= now()`;
/** The service's own rounds may be at it too. */
async function round(): Promise<void> {
  do await sso.service.service.app.get(EnforcementService, { strict: false }).round();
  while ((await sso.service.sql(DUE)).length > 0);
}
const stateOf = async (id: string) =>
  (await admin().get(`/sso/providers/${id}`)).body.data as {
    enforceSSO: boolean;
    version: number;
    enforcement: { stage: string; enforceAt: string | null; startedAt: string | null };
  };
const bringDate = (id: string) =>
  sso.service.sql(`UPDATE sso_providers SET enforce_at = now() - interval '1 second' WHERE id = $1`, [id]);
const announcements = async (id: string) =>
  (await sso.service.emitted(SsoEnforcementChanged))
    .map(({ data }) => data)
    .filter(({ providerId }) => providerId === id);

async function mailsTo(address: string): Promise<string[]> {
  do await sso.service.service.app.get(DeliverMail).round();
  while ((await sso.service.sql('SELECT id FROM mail_outbox')).length > 0);
  return sso.identity.mails().filter((mail) => mail.includes(`To: ${address}`));
}

/** The secret of the second factor that a person set up. */
async function enrolled(email: string): Promise<string> {
  const client = await sso.identity.holding((await sso.identity.login(email, PASSWORD)).body.accessToken);
  const { secret } = (await client.post('/auth/mfa/totp/enroll')).body as { secret: string };
  expect((await client.post('/auth/mfa/totp/confirm').send({ code: totp(secret) })).status).toBe(200);
  return secret;
}

/** A provider through which a person without a membership of interest has signed in. */
async function tested(more: object = {}): Promise<string> {
  const id = await sso.provider(tenant, idp, more);
  const { email } = await someone();
  expect(landing(await signIn(email))).toContain('#ssoCode=');
  return id;
}
