import { asService, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import { describe, expect, it } from '@jest/globals';
import { SweepExpired } from '../src/housekeeping/housekeeping.ts';
import { OpenSession } from '../src/sessions/open-session.ts';
import { RevokeSessions } from '../src/sessions/revoke-sessions.ts';
import { ADMIN, claimsOf, IdentityHarness, TOTP_SECRET } from './identity.harness.ts';

describe('upkeep', () => {
  it('removes what has expired and keeps what lives, and used refresh tokens, by which a theft shows', async () => {
    const identity = await IdentityHarness.start();
    const refresh = ({ body }: { body: { refreshToken: string } }) =>
      identity.anonymous.post('/auth/refresh').send({ refreshToken: body.refreshToken });
    const [gone, kept] = [
      await identity.login(ADMIN.email, ADMIN.password),
      await identity.login(ADMIN.email, ADMIN.password),
    ];
    await identity.service.sql(`UPDATE sessions SET expires_at = now() - interval '8 days' WHERE id = $1`, [
      claimsOf(gone.body.accessToken).sid,
    ]);
    await identity.anonymous.post('/auth/forgot-password').send({ email: ADMIN.email });
    await identity.service.sql('UPDATE password_resets SET expires_at = now()');
    const next = await refresh(kept);
    await identity.service.sql(`UPDATE refresh_tokens SET rotated_at = rotated_at - interval '6 days'`);
    await part(identity, SweepExpired).round();
    expect(await identity.service.sql('SELECT id FROM sessions')).toEqual([
      { id: claimsOf(kept.body.accessToken).sid },
    ]);
    expect(await identity.service.sql('SELECT * FROM password_resets')).toEqual([]);
    expect([(await refresh(kept)).status, await identity.introspect(next.body.accessToken)]).toMatchObject([
      401,
      { active: false },
    ]);
    await identity.stop();
  });
});

describe('a session that an identity provider opened', () => {
  it('is confined to the provider’s organisation, and ends with the provider; password sessions end with enforcement', async () => {
    const identity = await IdentityHarness.start();
    const partnerId = await identity.partner();
    const [orgId, otherOrg] = [await identity.org(partnerId), await identity.org(partnerId)];
    const { userId, membershipId } = await identity.member('sso@example.test', {
      partnerId,
      orgId,
      roleId: ORG_VIEWER,
    });
    const work = part(identity, UnitOfWork);
    const sessions = part(identity, OpenSession);
    const providerId = newId();
    const open = (confinedOrgId: string, via: 'sso' | 'password' = 'sso') =>
      work.background(asService('identity'), async (tx) => {
        const sessionId = newId();
        await sessions.create(tx, {
          sessionId,
          userId,
          membershipId,
          via,
          providerId: via === 'sso' ? providerId : null,
          confinedOrgId,
          mfa: { via: 'idp' },
        });
        return sessions.issueTokens(tx, sessionId);
      });
    await expect(open(otherOrg)).rejects.toMatchObject({ code: 'invalid_credentials' });
    const [bySso, byPassword] = [await open(orgId), await open(orgId, 'password')];
    expect(await identity.principalOf(bySso.accessToken)).toMatchObject({ orgId, orgs: [orgId], mfa: true });
    expect(claimsOf(bySso.accessToken).mfa).toMatchObject({ via: 'idp' });
    await identity.service.sql(
      `INSERT INTO sso_providers (id, partner_id, org_id, name, type, status, scopes, attribute_mapping, auto_provision,
        enforce_sso, trusts_idp_mfa) VALUES ($1, $2, $3, 'Acme', 'oidc', 'active', 'openid', '{}', false, true, false)`,
      [newId(), partnerId, orgId],
    );
    await work.background(asService('identity'), (tx) => part(identity, RevokeSessions).ofPasswordOrigin(tx, [userId]));
    expect(await identity.introspect(byPassword.accessToken)).toMatchObject({ active: false });
    expect(await identity.introspect(bySso.accessToken)).toMatchObject({ active: true });
    await work.background(asService('identity'), (tx) =>
      part(identity, RevokeSessions).ofProvider(tx, providerId, 'provider_deleted'),
    );
    expect(await identity.introspect(bySso.accessToken)).toMatchObject({ active: false });
    await identity.stop();
  });
});

describe('a break-glass sign-in', () => {
  it('is recorded as such', async () => {
    const identity = await IdentityHarness.start();
    await identity.service.sql('UPDATE users SET break_glass = true');
    await identity.login(ADMIN.email, ADMIN.password);
    expect(await identity.service.audits('user.break_glass.login')).toHaveLength(1);
    expect(await identity.service.audits('user.login')).toHaveLength(0);
    await identity.stop();
  });
});

describe('second-factor attempts', () => {
  it('are limited to five in five minutes for a person, across sign-ins', async () => {
    const identity = await IdentityHarness.start({
      BOOTSTRAP_ADMIN_TOTP_SECRET: TOTP_SECRET,
      RATE_LIMITS: 'signInByClient=1000/300,signInByAccount=1000/300',
    });
    const answers: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      const { body } = await identity.login(ADMIN.email, ADMIN.password);
      answers.push(
        (await identity.anonymous.post('/auth/mfa/verify').send({ mfaToken: body.mfaToken, code: '000000' })).status,
      );
    }
    expect(answers).toEqual([400, 400, 400, 400, 400, 429]);
    await identity.stop();
  });
});

const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;

const part = <T extends object>(identity: IdentityHarness, type: new (...parameters: never[]) => T): T =>
  identity.service.service.app.get(type, { strict: false });
