import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { TenantDataRequested } from '@gatehouse/tenant-data';
import { startTestBroker, StepOwner } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { SsoHarness, startScriptedIdp, type Tenant } from './sso.harness.ts';

const idp = await startScriptedIdp();
const broker = await startTestBroker();
const tenancy = await StepOwner.at(broker);
const sso = await SsoHarness.start([idp.issuer], {}, { natsUrl: broker.url });
afterAll(async () => {
  await sso.stop();
  await tenancy.stop();
  await broker.stop();
  await idp.stop();
});

/** Decisions, "Session changes": enforcement reaches people also when it was there first. */
describe('what a password opened, once single sign-on governs the person', () => {
  let enforcing: Tenant;
  let free: Tenant;
  beforeEach(async () => {
    enforcing = await sso.tenant();
    free = await sso.tenant(enforcing.partnerId);
    await sso.provider(enforcing, idp, { enforceSSO: true });
  });

  it('ends with the break-glass standing', async () => {
    const { userId, tokens } = await signedIn(enforcing, { breakGlass: true });
    expect((await asAdmin().patch(`/users/${userId}`).send({ name: 'Still Trusted' })).status).toBe(200);
    expect(await sso.identity.introspect(tokens.accessToken)).toMatchObject({ active: true });
    expect((await asAdmin().patch(`/users/${userId}`).send({ breakGlass: false })).status).toBe(200);
    await expectEnded(tokens);
  });

  it('goes on in one organisation when another that enforces gives a membership (ATK-05b)', async () => {
    const { email, tokens } = await signedIn(free);
    const { status } = await asAdmin()
      .post('/users')
      .send({ email, name: 'P', membership: { scope: 'organization', orgId: enforcing.orgId, roleId: ORG_VIEWER } });
    expect(status).toBe(201);
    expect(await sso.identity.introspect(tokens.accessToken)).toMatchObject({ active: true });
    const again = await sso.identity.login(email, PASSWORD);
    expect(await sso.identity.principalOf(again.body.accessToken)).toMatchObject({ orgId: free.orgId });
  });

  it('goes on elsewhere after the acceptance of an invitation into an organisation that enforces (ATK-05a)', async () => {
    const { email, tokens } = await signedIn(await sso.tenant());
    await asAdmin()
      .post('/users')
      .send({ email, name: 'P', membership: { scope: 'organization', orgId: enforcing.orgId, roleId: ORG_VIEWER } });
    const accepted = await sso.anonymous
      .post('/auth/accept-invite')
      .send({ token: await sso.identity.mailedToken(email), password: PASSWORD });
    expect(accepted.body).toMatchObject({ status: 403, code: 'sso_enforced' });
    expect(await sso.identity.introspect(tokens.accessToken)).toMatchObject({ active: true });
  });

  it('ends when their organisation is merged into one that enforces, and not when into another', async () => {
    const merged = async (sourceId: string, targetId: string): Promise<void> => {
      await sso.service.deliver(TenantDataRequested, { runId: newId(), step: 'move', sourceId, targetId });
      while (
        (await sso.service.sql('SELECT FROM tenant_tasks WHERE source_id = $1 AND done_at IS NULL', [sourceId]))
          .length > 0
      )
        await wait(50);
    };
    const [mover, other] = [await signedIn(free), await sso.tenant(free.partnerId)];
    await merged(free.orgId, other.orgId);
    expect(await sso.identity.introspect(mover.tokens.accessToken)).toMatchObject({ active: true });
    await merged(other.orgId, enforcing.orgId);
    await expectEnded(mover.tokens);
  });

  it('ends with the restoration of the organisation that enforces, and goes on elsewhere', async () => {
    const told = (status: 'archived' | 'active', version: number): Promise<unknown> =>
      sso.service.deliver(OrganizationChanged, {
        orgId: enforcing.orgId,
        partnerId: enforcing.partnerId,
        name: 'Enforcing',
        mergedIntoId: null,
        status,
        deleted: false,
        version,
      });
    const there = await signedIn(enforcing, { breakGlass: true });
    await sso.service.sql('UPDATE users SET break_glass = false WHERE id = $1', [there.userId]);
    await told('archived', 8);
    const { email, userId, tokens } = await signedIn(free);
    await sso.service.sql(
      `INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        VALUES ($1, $2, 'organization', $3, $4, $5)`,
      [newId(), userId, enforcing.partnerId, enforcing.orgId, ORG_VIEWER],
    );
    const { status } = await sso.identity.login(email, PASSWORD);
    expect(status).toBe(200);
    await told('active', 9);
    await expectEnded(there.tokens);
    expect(await sso.identity.introspect(tokens.accessToken)).toMatchObject({ active: true });
    expect(await sso.service.audits('session.revoke')).toEqual([
      expect.objectContaining({
        orgId: enforcing.orgId,
        partnerId: enforcing.partnerId,
        actor: expect.objectContaining({ type: 'system' }),
        details: { reason: 'sso_enforced', sessions: 1 },
      }),
    ]);
  });

  const asAdmin = (tenant = enforcing) => sso.service.as(tenant.admin);

  async function signedIn({ partnerId, orgId }: Tenant, { breakGlass = false } = {}) {
    const email = `${newId()}@corp.example`;
    const { userId } = await sso.user({ email, partnerId, orgId, password: PASSWORD });
    await sso.service.sql('UPDATE users SET break_glass = $2 WHERE id = $1', [userId, breakGlass]);
    const { body } = await sso.identity.login(email, PASSWORD);
    expect(await sso.identity.introspect(body.accessToken)).toMatchObject({ active: true });
    return { email, userId, tokens: body as { accessToken: string; refreshToken: string } };
  }

  async function expectEnded({
    accessToken,
    refreshToken,
  }: {
    accessToken: string;
    refreshToken: string;
  }): Promise<void> {
    expect(await sso.identity.introspect(accessToken)).toMatchObject({ active: false });
    expect((await sso.anonymous.post('/auth/refresh').send({ refreshToken })).status).toBe(401);
  }
});

const PASSWORD = 'an uncommon pass phrase';
const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
