import { SiteChanged } from '@gatehouse/contracts-tenancy';
import { newId } from '@gatehouse/crypto';
import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start();
const partnerId = (await tenancy.partner()).id;
const orgId = (await tenancy.organization(partnerId)).id;
const otherPartner = (await tenancy.partner()).id;
const otherOrg = (await tenancy.organization(otherPartner)).id;
const foreign = { partnerId: otherPartner, orgId: otherOrg, siteId: (await tenancy.site(otherPartner, otherOrg)).id };
afterAll(() => tenancy.stop());

describe('sites', () => {
  it('needs orgId and name only, and defaults the timezone to UTC', async () => {
    const site = await tenancy.site(partnerId, orgId, { name: 'HQ' });
    expect(site).toMatchObject({ orgId, name: 'HQ', timezone: 'UTC', address: null, contact: null, settings: {} });
    expect((await tenancy.service.emitted(SiteChanged)).at(-1)?.data).toEqual({
      siteId: site.id,
      orgId,
      partnerId,
      name: 'HQ',
      deleted: false,
      version: 1,
    });
    expect((await tenancy.service.audits('site.create')).at(-1)).toMatchObject({ partnerId, orgId, siteId: site.id });
  });

  it('refuses a site in a foreign or unknown organisation with the message of the specification', async () => {
    const ofOrganization = [{}, { sites: [newId()] }].map((more) => tenancy.as(anOrgAdmin(partnerId, orgId, more)));
    for (const callers of [tenancy.admin(partnerId), ...ofOrganization]) {
      for (const target of [foreign.orgId, newId()]) {
        expect((await callers.post('/orgs/sites').send({ orgId: target, name: 'x' })).body).toMatchObject({
          status: 403,
          code: 'org_access_denied',
          detail: 'Access to this organization denied.',
        });
      }
    }
  });

  it('answers 403 for a foreign site and 404 for none', async () => {
    const calls = (client: Client, path: string) => [
      client.get(path),
      client.patch(path).send({ name: 'stolen' }),
      client.delete(path),
    ];
    for (const answer of await Promise.all(calls(tenancy.admin(partnerId), `/orgs/sites/${foreign.siteId}`))) {
      expect(answer.body).toMatchObject({
        status: 403,
        code: 'site_access_denied',
        detail: 'Access to this site denied.',
      });
    }
    for (const answer of await Promise.all(calls(tenancy.admin(partnerId), `/orgs/sites/${newId()}`)))
      expect(answer.body).toMatchObject({ status: 404, code: 'site_not_found' });
    expect(await tenancy.service.sql('SELECT name FROM sites WHERE id = $1', [foreign.siteId])).toEqual([
      { name: 'Site' },
    ]);
  });

  it('does not move a site to another organisation by PATCH', async () => {
    const other = await tenancy.organization(partnerId);
    const { id } = await tenancy.site(partnerId, orgId);
    expect((await tenancy.admin(partnerId).patch(`/orgs/sites/${id}`).send({ orgId: other.id })).body).toMatchObject({
      status: 400,
      code: 'no_updates_provided',
    });
    expect(
      (await tenancy.admin(partnerId).patch(`/orgs/sites/${id}`).send({ orgId: other.id, name: 'New' })).body,
    ).toMatchObject({ status: 400, issues: [{ path: 'orgId', message: 'cannot be changed' }] });
    expect(
      (
        await tenancy
          .admin(partnerId)
          .patch(`/orgs/sites/${id}`)
          .send({ orgId, name: 'New', address: { street: 'x' } })
      ).body,
    ).toMatchObject({ orgId, name: 'New', address: { street: 'x' } });
  });

  it('TEN-108 keeps the name of a site, organisation or key without the blanks around it, created or changed', async () => {
    const admin = tenancy.admin(partnerId);
    const name = '\u00a0 Branch \t';
    const bodies = {
      '/orgs/sites': { orgId, name },
      '/orgs/organizations': { name, slug: `trim-${newId().slice(-12)}` },
      '/enrollment-keys': { orgId, name },
    };
    for (const [path, body] of Object.entries(bodies)) {
      const made = await admin.post(path).send(body);
      expect([path, made.status, made.body.name]).toEqual([path, 201, 'Branch']);
      if (path === '/enrollment-keys') continue;
      const changed = await admin.patch(`${path}/${made.body.id}`).send({ name: `  Office${name}` });
      expect([path, changed.body.name]).toEqual([path, 'Office\u00a0 Branch']);
    }
    expect((await admin.post('/orgs/sites').send({ orgId, name: ' \u00a0' })).body).toMatchObject({ status: 400 });
  });

  it('deletes for good', async () => {
    const { id } = await tenancy.site(partnerId, orgId);
    expect((await tenancy.admin(partnerId).delete(`/orgs/sites/${id}`)).body).toEqual({ success: true });
    expect((await tenancy.admin(partnerId).get(`/orgs/sites/${id}`)).status).toBe(404);
    expect(await tenancy.service.sql('SELECT id FROM sites WHERE id = $1', [id])).toEqual([]);
    expect((await tenancy.service.emitted(SiteChanged)).at(-1)?.data).toMatchObject({
      siteId: id,
      deleted: true,
      version: 2,
    });
  });

  it("TEN-106 records a refused act of a partner's user under the organisation of the resource, or of the body", async () => {
    const { id: siteId } = await tenancy.site(partnerId, orgId);
    const { key } = await tenancy.enrollmentKey(partnerId, orgId, { siteId });
    await tenancy.device(key);
    const admin = tenancy.admin(partnerId);
    expect((await admin.delete(`/orgs/sites/${siteId}`)).body).toMatchObject({ status: 409, code: 'conflict' });
    expect((await tenancy.service.audits('site.delete')).at(-1)).toMatchObject({
      partnerId,
      orgId,
      siteId,
      result: 'failure',
      resource: { id: siteId },
    });
    const frozen = await tenancy.organization(partnerId);
    await tenancy.service.sql(`UPDATE organizations SET status = 'archived' WHERE id = $1`, [frozen.id]);
    const refused = await admin.post('/orgs/sites').send({ orgId: frozen.id, name: 'x' });
    expect(refused.body).toMatchObject({ status: 409, code: 'organization_frozen' });
    expect((await tenancy.service.audits('site.create')).at(-1)).toMatchObject({ orgId: frozen.id, result: 'failure' });
    await admin.post(`/orgs/organizations/${frozen.id}/contacts`).send({ name: 'x' });
    expect((await tenancy.service.audits('contact.create')).at(-1)).toMatchObject({
      orgId: frozen.id,
      result: 'failure',
      resource: { type: 'contact', id: null },
    });
  });

  it('lists by organisation under either name, and refuses one outside the reach', async () => {
    const other = await tenancy.organization(partnerId);
    const { id } = await tenancy.site(partnerId, other.id, { name: 'Only' });
    for (const parameter of ['orgId', 'organizationId']) {
      expect((await tenancy.admin(partnerId).get(`/orgs/sites?${parameter}=${other.id}`)).body).toMatchObject({
        data: [{ id }],
        pagination: { total: 1 },
      });
      for (const outside of [foreign.orgId, newId()])
        expect((await tenancy.admin(partnerId).get(`/orgs/sites?${parameter}=${outside}`)).body).toMatchObject({
          status: 403,
          code: 'org_access_denied',
        });
    }
    expect((await tenancy.system.get(`/orgs/sites?orgId=${newId()}`)).body).toMatchObject({
      status: 404,
      code: 'organization_not_found',
    });
    expect((await tenancy.admin(partnerId, { orgs: [] }).get('/orgs/sites')).body).toMatchObject({
      data: [],
      pagination: { total: 0 },
    });
    expect((await tenancy.admin(partnerId).get('/orgs/sites?orgId=x')).status).toBe(400);
  });

  it('confines a caller to the sites of its membership', async () => {
    const [mine, other] = [await tenancy.site(partnerId, orgId), await tenancy.site(partnerId, orgId)];
    const confined = tenancy.as(anOrgAdmin(partnerId, orgId, { sites: [mine.id] }));
    expect((await confined.get('/orgs/sites')).body).toMatchObject({
      data: [{ id: mine.id }],
      pagination: { total: 1 },
    });
    expect((await confined.get(`/orgs/sites/${other.id}`)).body).toMatchObject({
      status: 403,
      code: 'site_access_denied',
    });
    expect((await confined.post('/orgs/sites').send({ orgId, name: 'x' })).body).toMatchObject({
      status: 403,
      code: 'site_access_denied',
    });
    expect((await confined.patch(`/orgs/sites/${mine.id}`).send({ name: 'Mine' })).body).toMatchObject({
      name: 'Mine',
    });
  });

  it.each([['Mars/X'], ['../etc'], ['+01:00'], ['x'.repeat(51)]])('refuses the timezone %s', async (timezone) => {
    expect((await tenancy.admin(partnerId).post('/orgs/sites').send({ orgId, name: 'x', timezone })).status).toBe(400);
  });

  it('refuses NUL and prototype keys anywhere in free-form objects', async () => {
    const send = (text: string) =>
      tenancy.admin(partnerId).post('/orgs/sites').set('content-type', 'application/json').send(text);
    expect((await send(`{"orgId":"${orgId}","name":"x","address":{"a":{"b":"\\u0000"}}}`)).status).toBe(400);
    expect((await send(`{"orgId":"${orgId}","name":"x","settings":{"a":{"__proto__":{"polluted":1}}}}`)).status).toBe(
      400,
    );
  });

  it('keeps free-form objects whole, with members named as something that every object has', async () => {
    const settings = { toString: 'a', nested: { valueOf: 1 } };
    expect(
      (await tenancy.admin(partnerId).post('/orgs/sites').send({ orgId, name: 'whole', settings })).body,
    ).toMatchObject({ settings });
  });

  it('counts names in characters, as storage does', async () => {
    expect((await tenancy.site(partnerId, orgId, { name: '😀'.repeat(255) })).name).toHaveLength(510);
    expect(
      (
        await tenancy
          .admin(partnerId)
          .post('/orgs/sites')
          .send({ orgId, name: '😀'.repeat(256) })
      ).status,
    ).toBe(400);
  });
});
