import { newId } from '@gatehouse/crypto';
import { PartnerChanged } from '@gatehouse/contracts-tenancy';
import { anApiKey, aPartnerAdmin, aPartnerTechnician, anOrgAdmin, aSystemAdmin } from '@gatehouse/testing';
import { describe, expect, it } from '@jest/globals';
import { besideTenancy, type Tenancy } from './tenancy.harness.ts';

let tenancy: Tenancy;
besideTenancy((started) => (tenancy = started));

describe('partners (system scope)', () => {
  it('creates an active partner with the defaults of the specification', async () => {
    const partner = await tenancy.partner({ name: 'Acme MSP', slug: 'acme-msp' });
    expect(partner).toMatchObject({
      name: 'Acme MSP',
      slug: 'acme-msp',
      type: 'msp',
      plan: 'free',
      status: 'active',
      maxOrganizations: null,
      settings: {},
      deletedAt: null,
    });
    expect(await tenancy.service.audits('partner.create')).toContainEqual(
      expect.objectContaining({ partnerId: partner.id, result: 'success' }),
    );
    expect(await tenancy.service.emitted(PartnerChanged)).toContainEqual(
      expect.objectContaining({
        data: {
          partnerId: partner.id,
          name: 'Acme MSP',
          slug: 'acme-msp',
          status: 'active',
          deleted: false,
          version: 1,
        },
      }),
    );
  });

  it.each([['me'], ['../x'], ['Upper'], ['a'.repeat(101)], ['']])('refuses the slug %j', async (slug) => {
    expect((await tenancy.system.post('/orgs/partners').send({ name: 'x', slug })).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('keeps slugs unique among the living', async () => {
    const { id } = await tenancy.partner({ slug: 'taken' });
    expect((await tenancy.system.post('/orgs/partners').send({ name: 'x', slug: 'taken' })).body).toMatchObject({
      status: 409,
      code: 'slug_taken',
    });
    await tenancy.system.delete(`/orgs/partners/${id}`);
    expect((await tenancy.system.post('/orgs/partners').send({ name: 'x', slug: 'taken' })).status).toBe(201);
  });

  it('soft-deletes: no answer contains the partner, and its event reports the deletion', async () => {
    const { id } = await tenancy.partner();
    const deleted = await tenancy.system.delete(`/orgs/partners/${id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true }]);
    expect((await tenancy.system.get(`/orgs/partners/${id}`)).body).toMatchObject({
      status: 404,
      code: 'partner_not_found',
    });
    expect((await tenancy.system.patch(`/orgs/partners/${id}`).send({ name: 'y' })).status).toBe(404);
    expect((await tenancy.system.delete(`/orgs/partners/${id}`)).status).toBe(404);
    const events = (await tenancy.service.emitted(PartnerChanged)).filter(({ data }) => data.partnerId === id);
    expect(events.at(-1)?.data).toMatchObject({ deleted: true, version: 2 });
  });

  it('answers 400 to a PATCH without a recognised field', async () => {
    const { id } = await tenancy.partner();
    expect((await tenancy.system.patch(`/orgs/partners/${id}`).send({ unknown: 1 })).body).toMatchObject({
      status: 400,
      code: 'no_updates_provided',
      issues: [{ path: 'unknown' }],
    });
    expect((await tenancy.system.patch(`/orgs/partners/${id}`).send({})).body).toMatchObject({
      status: 400,
      code: 'no_updates_provided',
    });
  });

  it('is closed to partner and organization scope', async () => {
    const { id } = await tenancy.partner();
    for (const principal of [aPartnerAdmin(id), anOrgAdmin(id, id)]) {
      expect((await tenancy.as(principal).get('/orgs/partners')).body).toMatchObject({
        status: 403,
        code: 'scope_denied',
      });
      expect((await tenancy.as(principal).patch(`/orgs/partners/${id}`).send({ plan: 'pro' })).status).toBe(403);
    }
  });

  it.each([
    ['page=0&limit=0', 1, 1],
    ['page=-1&limit=101', 1, 100],
    ['page=NaN&limit=x', 1, 50],
    ['page=1e309&limit=9223372036854775807', 2 ** 31 - 1, 100],
  ])('clamps %s', async (query, page, limit) => {
    const { status, body } = await tenancy.system.get(`/orgs/partners?${query}`);
    expect({ status, body }).toMatchObject({ status: 200 });
    expect(body.pagination).toMatchObject({ page, limit });
  });

  it('TEN-89 are found by a part of their name or short name', async () => {
    const part = newId().slice(-12);
    const [other, one] = [
      await tenancy.partner({ name: `Zeta ${part.toUpperCase()}` }),
      await tenancy.partner({ name: 'Alpha_100%', slug: `alpha-${part}` }),
    ];
    const found = async (search: string) => {
      const { body } = await tenancy.system.get('/orgs/partners').query({ search, limit: 1 });
      return [body.pagination.total, body.data[0]?.id];
    };
    expect(await found(part)).toEqual([2, one.id]);
    expect(await found(`zeta ${part}`)).toEqual([1, other.id]);
    expect(await found(`_${part}`)).toEqual([0, undefined]);
  });
});

describe('partner self-service', () => {
  it('AUD-40 records nothing when the same business hours are sent again', async () => {
    const { id } = await tenancy.partner();
    const hours = {
      preset: 'custom',
      custom: { monday: { start: '09:00', end: '17:00' }, friday: { start: '09:00', end: '15:00' } },
    };
    const patch = () =>
      tenancy
        .admin(id)
        .patch('/orgs/partners/me')
        .send({ settings: { businessHours: hours } });
    const first = await patch();
    expect((await patch()).body).toEqual(first.body);
    const audits = (await tenancy.service.audits('partner.settings.update')).filter(
      ({ partnerId }) => partnerId === id,
    );
    expect(audits).toMatchObject([{ details: { changedFields: ['settings'] } }]);
  });

  it('merges settings: only included keys are overwritten', async () => {
    const { id } = await tenancy.partner();
    const own = tenancy.admin(id);
    await own.patch('/orgs/partners/me').send({
      settings: {
        timezone: 'Europe/Berlin',
        contact: { name: ' Ann ', phone: '1' },
        businessHours: { preset: 'custom', custom: { monday: { start: '09:00', end: '17:00' } } },
      },
    });
    const { body } = await own
      .patch('/orgs/partners/me')
      .send({ settings: { dateFormat: 'YYYY-MM-DD', contact: { phone: '2' } } });
    expect(body.settings).toEqual({
      timezone: 'Europe/Berlin',
      dateFormat: 'YYYY-MM-DD',
      contact: { name: 'Ann', phone: '2' },
      businessHours: { preset: 'custom', custom: { monday: { start: '09:00', end: '17:00' } } },
    });
    expect((await own.get('/orgs/partners/me')).body.settings).toEqual(body.settings);
    expect((await tenancy.service.audits('partner.settings.update')).at(-1)).toMatchObject({
      partnerId: id,
      details: { changedFields: ['settings'] },
    });
  });

  it('removes a setting that is null, also when the partner is created', async () => {
    const settings = { timezone: 'Europe/Berlin', contact: { email: 'ann@example.com', phone: '1' } };
    const body = { name: 'Nulls', slug: `nulls-${newId()}`, settings: { ...settings, dateFormat: null } };
    const made = (await tenancy.system.post('/orgs/partners').send(body).expect(201)).body;
    expect(made.settings).toEqual(settings);
    const own = tenancy.admin(made.id);
    const patch = { timezone: null, contact: { email: null }, businessHours: null };
    const changed = await own.patch('/orgs/partners/me').send({ settings: patch });
    expect(changed.body.settings).toEqual({ contact: { phone: '1' } });
  });

  it('TEN-116 shows its organisations how it writes dates and times, and nothing else of it', async () => {
    const { id } = await tenancy.partner();
    const { id: orgId } = await tenancy.organization(id);
    const formats = async () => (await tenancy.as(anOrgAdmin(id, orgId)).get('/orgs/partners/me/formats')).body;
    expect(await formats()).toEqual({ dateFormat: null, timeFormat: null });
    const settings = { dateFormat: 'DD/MM/YYYY', contact: { phone: '1' }, timezone: 'Asia/Tokyo' };
    await tenancy.admin(id).patch('/orgs/partners/me').send({ settings });
    expect(await formats()).toEqual({ dateFormat: 'DD/MM/YYYY', timeFormat: null });
    expect((await tenancy.as(anOrgAdmin(id, orgId)).get('/orgs/partners/me')).body).toMatchObject({
      code: 'scope_denied',
    });
    expect((await tenancy.system.get('/orgs/partners/me/formats')).body).toMatchObject({ code: 'scope_denied' });
  });

  it.each([
    [{ timezone: 'Mars/X' }],
    [{ timezone: '../etc' }],
    [{ language: 'de' }],
    [{ dateFormat: 'x' }],
    [{ timeFormat: '25h' }],
    [{ businessHours: { preset: 'never' } }],
    [{ businessHours: { custom: { monday: { start: '9', end: '17:00' } } } }],
    [{ businessHours: { custom: { someday: { start: '09:00', end: '17:00' } } } }],
  ])('refuses the settings %j', async (settings) => {
    const { id } = await tenancy.partner();
    expect((await tenancy.admin(id).patch('/orgs/partners/me').send({ settings })).body).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
  });

  it('changes nothing but name, billingEmail and settings', async () => {
    const { id } = await tenancy.partner();
    const others = {
      plan: 'unlimited',
      status: 'churned',
      slug: 'new',
      type: 'internal',
      ssoConfig: {},
      maxDevices: 1,
      settings: { hacked: true },
    };
    const refused = await tenancy
      .admin(id)
      .patch('/orgs/partners/me')
      .send({ name: 'New', ...others });
    expect(refused.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      ...Object.keys(others).slice(0, -1),
      'settings.hacked',
    ]);
    expect((await tenancy.admin(id).get('/orgs/partners/me')).body).toMatchObject({
      id,
      plan: 'free',
      status: 'active',
      type: 'msp',
      ssoConfig: null,
      maxDevices: null,
    });
    expect((await tenancy.admin(id).patch('/orgs/partners/me').send({ plan: 'unlimited' })).body).toMatchObject({
      code: 'no_updates_provided',
    });
  });

  it('refuses callers of a partner that is not active', async () => {
    const { id } = await tenancy.partner();
    expect((await tenancy.admin(id, { partnerActive: false }).get('/orgs/partners/me')).body).toMatchObject({
      status: 403,
      code: 'partner_inactive',
    });
  });
});

describe('the end of a partner', () => {
  it('ATK-07a: no API key, and no session without a second factor, suspends or deletes a partner', async () => {
    for (const principal of [anApiKey(), aSystemAdmin({ mfa: false })]) {
      const { id } = await tenancy.partner();
      const path = `/orgs/partners/${id}`;
      for (const status of ['suspended', 'churned', 'pending']) {
        const answer = await tenancy.as(principal).patch(path).send({ name: 'Renamed', status });
        expect(answer.body).toMatchObject({ status: 403, code: 'mfa_required' });
      }
      expect((await tenancy.as(principal).delete(path)).body).toMatchObject({ status: 403, code: 'mfa_required' });
      expect((await tenancy.system.get(path)).body).toMatchObject({
        name: 'Partner',
        status: 'active',
        deletedAt: null,
      });
      const refused = (await tenancy.service.audits()).filter(
        ({ resource, result }) => resource.id === id && result === 'denied',
      );
      expect(refused.map(({ action }) => action)).toEqual([
        'partner.update',
        'partner.update',
        'partner.update',
        'partner.delete',
      ]);
    }
  });

  it('ATK-07b: plain edits by an API key go on, and the second factor suspends, restores and deletes', async () => {
    const { id } = await tenancy.partner();
    const path = `/orgs/partners/${id}`;
    const edited = await tenancy.as(anApiKey()).patch(path).send({ name: 'Renamed', plan: 'pro', status: 'active' });
    expect(edited.body).toMatchObject({ name: 'Renamed', plan: 'pro', status: 'active' });
    for (const status of ['suspended', 'active'])
      expect((await tenancy.system.patch(path).send({ status })).body).toMatchObject({ status });
    expect((await tenancy.system.delete(path)).body).toEqual({ success: true });
  });

  it('ATK-07c: only a partner user with all organisations edits the partner itself', async () => {
    const { id } = await tenancy.partner();
    const { id: orgId } = await tenancy.organization(id);
    for (const orgs of [[orgId], []]) {
      const answer = await tenancy.admin(id, { orgs }).patch('/orgs/partners/me').send({ name: 'Taken over' });
      expect(answer.body).toMatchObject({ status: 403, code: 'org_access_denied' });
    }
    expect((await tenancy.admin(id).get('/orgs/partners/me')).body).toMatchObject({ name: 'Partner' });
    expect(
      (await tenancy.as(aPartnerTechnician(id)).patch('/orgs/partners/me').send({ name: 'x' })).body,
    ).toMatchObject({ code: 'permission_denied' });
  });
});
