import { asService, type Permission, SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { TechnicianChanged } from '@gatehouse/contracts-identity';
import { OrganizationChanged, SiteChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { UnitOfWork } from '@gatehouse/database';
import {
  remarksOn,
  type Step,
  tenantDataProgressed,
  TenantDataRequested,
  undeclaredTables,
} from '@gatehouse/tenant-data';
import { anOrgAdmin, aPartnerAdmin, type Client, Gate, startTestBroker, StepOwner } from '@gatehouse/testing';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { DeleteUnattachedUsers } from '../src/housekeeping/housekeeping.ts';
import { identityTenantData } from '../src/housekeeping/tenant-changes/identity-tenant-data.ts';
import { IdentityHarness } from './identity.harness.ts';

const broker = await startTestBroker();
const tenancy = await StepOwner.at(broker);
const identity = await IdentityHarness.start({}, { natsUrl: broker.url });
const partnerId = await identity.partner();
afterAll(async () => {
  await identity.stop();
  await tenancy.stop();
  await broker.stop();
});

describe('merging and purging organisations', () => {
  it('knows every table that holds a tenant', async () => {
    expect(await undeclaredTables(identityTenantData, (text) => identity.service.sql(text))).toEqual([]);
  });

  it('moves people, roles and providers to the survivor, once each, and can put them back', async () => {
    const [source, target] = [await identity.org(partnerId), await identity.org(partnerId)];
    const [roleHere] = [await role(source, 'Helpdesk'), await role(target, 'Helpdesk')];
    const [mover, both] = [
      await invite('mover@example.test', source, roleHere),
      await invite('both@example.test', source),
    ];
    await invite('both@example.test', target);
    await identity.service.sql(
      `
      INSERT INTO sso_providers (id, partner_id, org_id, name, type, status, scopes, attribute_mapping, auto_provision,
        enforce_sso, trusts_idp_mfa)
      VALUES ($1, $2, $3, 'IdP', 'oidc', 'active', 'openid', '{}', true, true, false)`,
      [newId(), partnerId, source],
    );
    const runId = newId();
    await perform(runId, 'move', source, target);
    expect(await orgsOf(mover)).toEqual([target]);
    expect(
      (await identity.service.emitted(TechnicianChanged)).filter(({ data }) => data.userId === mover).at(-1)?.data
        .reaches,
    ).toMatchObject([{ orgIds: [target] }]);
    expect(await identity.service.sql('SELECT status FROM sso_providers WHERE org_id = $1', [target])).toEqual([
      { status: 'inactive' },
    ]);
    await perform(runId, 'rollback', source, target);
    expect(await orgsOf(mover)).toEqual([source]);
    expect(await identity.service.sql('SELECT status FROM sso_providers WHERE org_id = $1', [source])).toEqual([
      { status: 'active' },
    ]);
    expect(await identity.service.sql('SELECT name FROM roles WHERE org_id = $1', [source])).toEqual([
      { name: 'Helpdesk' },
    ]);
    expect((await admin().post('/sso/setup-links').send({ orgId: source })).status).toBe(201);
    const again = newId();
    await perform(again, 'move', source, target);
    await perform(again, 'finish', source, target);
    expect(await orgsOf(both)).toEqual([target]);
    const links = 'SELECT FROM sso_setup_links WHERE org_id IN ($1, $2)';
    expect(await identity.service.sql(links, [source, target])).toEqual([]);
    expect(
      (
        await identity.service.sql<{ name: string }>('SELECT name FROM roles WHERE org_id = $1 ORDER BY name', [target])
      ).map(({ name }) => name),
    ).toEqual(['Helpdesk', expect.stringMatching(/^Helpdesk [0-9a-f]{8}$/)]);
  });

  it('deletes everything of a purged organisation', async () => {
    const source = await identity.org(partnerId);
    const person = await invite('purged@example.test', source, await role(source, 'Local'));
    const siteId = await identity.site(partnerId, source);
    await identity.service.deliver(OrganizationChanged, {
      orgId: source,
      partnerId,
      name: 'Gone',
      status: 'purging',
      deleted: false,
      mergedIntoId: null,
      version: 2,
    });
    await perform(newId(), 'purge', source, null);
    await identity.service.deliver(SiteChanged, {
      siteId,
      orgId: source,
      partnerId,
      name: 'Told of late',
      deleted: false,
      version: 2,
    });
    expect(await identity.service.sql('SELECT FROM site_ref WHERE site_id = $1', [siteId])).toEqual([]);
    expect(await orgsOf(person)).toEqual([]);
    expect(await identity.service.sql('SELECT id FROM roles WHERE org_id = $1', [source])).toEqual([]);
    const forget = identity.service.service.app.get(DeleteUnattachedUsers, { strict: false });
    await forget.round();
    expect(await identity.service.sql('SELECT id FROM users WHERE id = $1', [person])).toHaveLength(1);
    await identity.service.sql(`UPDATE users SET updated_at = now() - interval '2 hours'`);
    const gate = await Gate.close(
      identity.service,
      `INSERT INTO memberships (id, user_id, level, partner_id, role_id)
        VALUES (gen_random_uuid(), '${person}', 'partner', '${partnerId}', '${SYSTEM_ROLES[2]?.id}')`,
    );
    const round = forget.round();
    await Promise.race([round, wait(500)]);
    await gate.open();
    await round;
    expect(await identity.service.sql('SELECT FROM users WHERE id = $1', [person])).toHaveLength(1);
    await identity.service.sql(`DELETE FROM memberships WHERE user_id = $1`, [person]);
    await forget.round();
    expect(
      (await identity.service.sql<{ email: string }>('SELECT email FROM users ORDER BY email')).map(
        ({ email }) => email,
      ),
    ).toEqual(['both@example.test', 'mover@example.test', 'root@example.test']);
    expect((await identity.service.emitted(TechnicianChanged)).at(-1)?.data).toMatchObject({
      userId: person,
      active: false,
      reaches: [],
    });
  });

  describe('leaves to people', () => {
    let sourceId: string;
    let targetId: string;
    beforeEach(async () => {
      [sourceId, targetId] = [await identity.org(partnerId), await identity.org(partnerId)];
    });

    it('ATK-35k: which permissions of members and open invitations the merging user lacks', async () => {
      const asker = (permissions: readonly Permission[]) =>
        identity.service.service.app
          .get(UnitOfWork)
          .read(asService('identity'), (reader) =>
            remarksOn(reader, identityTenantData, { sourceId, targetId, permissions }),
          );
      expect((await asker(['organizations:write'])).blockers).toEqual([]);
      await invite(`${newId()}@example.test`, sourceId, await role(sourceId, 'Reads devices'));
      const lacks = ['Users would get permissions that you do not have: devices:read.'];
      expect((await asker(['organizations:write'])).blockers).toEqual(lacks);
      expect((await asker(['organizations:write', 'devices:read'])).blockers).toEqual([]);
      expect((await asker(['*'])).blockers).toEqual([]);
      const offered = { scope: 'organization', orgId: targetId, roleId: await role(targetId, 'Of an invited user') };
      await admin()
        .post('/users')
        .send({ email: `${newId()}@example.test`, name: 'Invited', membership: offered })
        .expect(201);
      await identity.service.sql('DELETE FROM memberships WHERE org_id = $1', [sourceId]);
      expect((await asker(['organizations:write'])).blockers).toEqual(lacks);
      expect((await remarks()).blockers).toEqual([]);
    });

    it('whose break-glass standing ends, when the survivor would have more than two such people', async () => {
      await marked(sourceId, targetId);
      await marked(targetId);
      expect((await remarks()).blockers).toEqual([]);
      const mover = await marked(sourceId);
      expect((await remarks()).blockers).toEqual([
        'The surviving organisation may have 2 break-glass users and would have 3.',
      ]);
      const runId = newId();
      await identity.service.deliver(TenantDataRequested, { runId, step: 'move', sourceId, targetId });
      const said = async () =>
        (await identity.service.emitted(Progressed)).find(({ data }) => data.runId === runId)?.data;
      for (let attempt = 0; attempt < 300 && !(await said()); attempt++) await wait(100);
      expect(await said()).toMatchObject({
        error: 'The surviving organisation may have 2 break-glass users and would have 3.',
      });
      expect(await orgsOf(mover)).toEqual([sourceId]);
      await identity.service.sql('UPDATE users SET break_glass = false WHERE id = $1', [mover]);
      expect((await remarks()).blockers).toEqual([]);
    });

    it('whether who was given the organisation shall have the survivor, which they do not get by themselves', async () => {
      const partnerRole = SYSTEM_ROLES.find(({ name }) => name === 'Partner Viewer')?.id;
      const selected = async (...orgIds: string[]): Promise<string> => {
        const userId = await identity.administratorOf(partnerId);
        await identity.service.sql(
          `UPDATE memberships SET role_id = $2, org_access = 'selected', org_ids = $3 WHERE user_id = $1`,
          [userId, partnerRole, orgIds],
        );
        return userId;
      };
      await selected(sourceId, targetId);
      await selected(targetId);
      expect(await remarks()).toEqual({ blockers: [], warnings: [] });
      const left = await selected(sourceId);
      expect((await remarks()).warnings).toEqual([
        'Users of the partner with access to this organisation and not to the surviving one: 1. They will not reach what moves there.',
      ]);
      await perform(newId(), 'move', sourceId, targetId);
      expect(await identity.service.sql('SELECT org_ids FROM memberships WHERE user_id = $1', [left])).toEqual([
        { org_ids: [sourceId] },
      ]);
    });

    const remarks = () =>
      identity.service.service.app
        .get(UnitOfWork)
        .backgroundRead(asService('identity'), (reader) =>
          remarksOn(reader, identityTenantData, { sourceId, targetId }),
        );
    const marked = async (...orgIds: string[]): Promise<string> => {
      const email = `${newId()}@example.test`;
      const [id] = [
        await invite(email, orgIds[0] ?? ''),
        ...(await Promise.all(orgIds.slice(1).map((orgId) => invite(email, orgId)))),
      ];
      await identity.service.sql('UPDATE users SET break_glass = true WHERE id = $1', [id]);
      return id;
    };
  });

  it('TEN-107 warns of those who sign in only through a provider that becomes inactive, and of what goes besides', async () => {
    const [source, target] = [await identity.org(partnerId), await identity.org(partnerId)];
    const [only, both] = [await invite(`${newId()}@x.test`, source), await invite(`${newId()}@x.test`, source)];
    const providerId = newId();
    await identity.service.sql(
      `
      INSERT INTO sso_providers (id, partner_id, org_id, name, type, status, scopes, attribute_mapping, auto_provision,
        enforce_sso, trusts_idp_mfa, entity_id, sso_url, certificate, tested_version)
      VALUES ($1, $2, $3, 'Entra', 'saml', 'active', 'openid', '{}', false, false, false, 'urn:y',
        'https://idp.example/sso', 'x', 1)`,
      [providerId, partnerId, source],
    );
    for (const userId of [only, both])
      await identity.service.sql(
        `INSERT INTO sso_identity_links (id, user_id, provider_id, partner_id, org_id, external_id, email, profile_sealed)
         VALUES ($1, $2, $3, $4, $5, $6, 'a@x.test', 'x')`,
        [newId(), userId, providerId, partnerId, source, userId],
      );
    await identity.service.sql(`INSERT INTO credentials (user_id, password_hash) VALUES ($1, 'x')`, [both]);
    await role(source, 'Desk');
    await role(target, 'Desk');
    const { warnings } = await identity.service.service.app
      .get(UnitOfWork)
      .backgroundRead(asService('identity'), (reader) =>
        remarksOn(reader, identityTenantData, { sourceId: source, targetId: target }),
      );
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Users who sign in only through .*: 1\. They cannot .* activates it in the surviving organisation/,
      ),
      expect.stringContaining('become inactive, and enforce nothing until they are activated again: “Entra”'),
      expect.stringContaining('“Desk”'),
    ]);
  });

  it('ATK-01i: carries a provider along as one that is untested, and that only those may activate who hold what its people hold', async () => {
    const [source, target] = [await identity.org(partnerId), await identity.org(partnerId)];
    await invite(
      'survivor-admin@example.test',
      target,
      SYSTEM_ROLES.find(({ name }) => name === 'Organization Admin')?.id,
    );
    const id = newId();
    await identity.service.sql(
      `
      INSERT INTO sso_providers (id, partner_id, org_id, name, type, status, scopes, attribute_mapping, auto_provision,
        enforce_sso, trusts_idp_mfa, entity_id, sso_url, certificate, tested_version)
      VALUES ($1, $2, $3, 'IdP', 'saml', 'active', 'openid', '{}', true, true, false, 'urn:x',
        'https://idp.example/sso', 'x', 1)`,
      [id, partnerId, source],
    );
    const tested = () => identity.service.sql('SELECT org_id, tested_version FROM sso_providers WHERE id = $1', [id]);
    const runId = newId();
    await perform(runId, 'move', source, target);
    expect(await tested()).toEqual([{ org_id: target, tested_version: null }]);
    const writer = identity.service.as(
      anOrgAdmin(partnerId, target, { permissions: ['organizations:read', 'organizations:write'] }),
    );
    const activate = (by: Client) => by.post(`/sso/providers/${id}/status`).send({ status: 'active' });
    expect((await activate(writer)).body.code).toBe('role_not_grantable');
    expect((await activate(admin())).body.code).toBe('sso_enforcement_untested');
    await perform(runId, 'rollback', source, target);
    expect(await tested()).toEqual([{ org_id: source, tested_version: 1 }]);
  });

  const admin = () => identity.service.as(aPartnerAdmin(partnerId));
  const invite = async (email: string, orgId: string, roleId = ORG_VIEWER): Promise<string> =>
    (await identity.member(email, { partnerId, orgId, roleId })).userId;
  const role = async (orgId: string, name: string): Promise<string> =>
    (
      await admin()
        .post('/roles')
        .send({ name, axis: 'organization', orgId, permissions: ['devices:read'] })
    ).body.data.id;
  const orgsOf = async (userId: string): Promise<string[]> =>
    (await identity.service.sql<{ org_id: string }>('SELECT org_id FROM memberships WHERE user_id = $1', [userId])).map(
      (row) => row.org_id,
    );

  async function perform(runId: string, step: Step, sourceId: string, targetId: string | null): Promise<void> {
    await identity.service.deliver(TenantDataRequested, { runId, step, sourceId, targetId });
    for (let attempt = 0; attempt < 100; attempt++) {
      const progress = (await identity.service.emitted(Progressed)).find(
        ({ data }) => data.runId === runId && data.step === step && data.finished,
      );
      if (progress) return expect(progress.data).toMatchObject({ service: 'identity', error: null });
      await wait(100);
    }
    throw new Error(`the step ${step} did not finish`);
  }
});

const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;

const Progressed = tenantDataProgressed('identity');
