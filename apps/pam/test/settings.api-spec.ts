import { anOrgAdmin, type Client } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const ROUTES = [
  ['/pam/config', { defaultUnmatchedVerdict: 'auto_deny' }],
  ['/pam/approval-policy', {}],
  ['/pam/justification-policy', {}],
  ['/pam/escalation-policy', {}],
] as const;

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('settings of an organisation', () => {
  it.each(ROUTES)(
    'are only for callers with a second factor, the permission and the reach: %s',
    async (route, body) => {
      const sister = await pam.tenant(acme.partnerId);
      const codeOf = async (client: Client, more = {}) =>
        (await client.put(route).send({ ...body, ...more })).body.code as string;
      expect([
        await codeOf(pam.as(null)),
        await codeOf(admin({ mfa: false })),
        await codeOf(admin({ permissions: ['devices:read'] })),
        await codeOf(admin({ sites: [acme.siteId] })),
        await codeOf(admin(), { orgId: sister.orgId }),
        (await admin().get(`${route}?orgId=${sister.orgId}`)).body.code,
      ]).toEqual([
        'not_authenticated',
        'mfa_required',
        'permission_denied',
        'site_access_denied',
        'organization_not_found',
        'organization_not_found',
      ]);
      expect((await admin().get(route)).headers['etag']).toBe('"0"');
    },
  );

  it.each(ROUTES)('are not reset by a body that holds nothing: %s', async (route, body) => {
    expect((await admin().put(route).send(body)).status).toBe(200);
    const before = (await admin().get(route)).body;
    for (const text of ['null', '[]', '""', '0'])
      expect((await admin().put(route).set('Content-Type', 'application/json').send(text)).body).toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    expect((await admin().get(route)).body).toEqual(before);
  });

  it.each(ROUTES)('are frozen with the organisation: %s', async (route, body) => {
    const gone = await pam.tenant();
    const client = pam.as(anOrgAdmin(gone.partnerId, gone.orgId));
    expect((await client.put(route).send(body)).status).toBe(200);
    await pam.organizationIs(gone, 'merging', 2);
    expect((await client.put(route).send(body)).body.code).toBe('organization_frozen');
  });

  const admin = (overrides = {}): Client => pam.as(anOrgAdmin(acme.partnerId, acme.orgId, overrides));
});
