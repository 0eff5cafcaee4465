import { anOrgAdmin } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PamHarness } from './pam.harness.ts';

const pam = await PamHarness.start();
const acme = await pam.tenant();
afterAll(() => pam.stop());

describe('the catalogue of tools', () => {
  it('PAM-96 is listed by name, with the tiers of actions', async () => {
    const { status, body } = await list(['devices:read']);
    const names = body.tools.map(({ toolName }: { toolName: string }) => toolName);
    expect([status, body.success, names]).toEqual([200, true, [...names].sort()]);
    expect(body.tools).toContainEqual({
      toolName: 'manage_process',
      riskTier: 2,
      actions: [
        { action: 'list', riskTier: 0 },
        { action: 'kill', riskTier: 3 },
      ],
    });
    expect(body.tools).toContainEqual({ toolName: 'run_script', riskTier: 4, actions: [] });
  });

  it('PAM-96 is refused without permission and without a sign-in', async () => {
    expect((await list(['sites:read'])).body.code).toBe('permission_denied');
    expect((await pam.as(null).get('/pam/tools')).body.code).toBe('not_authenticated');
  });

  const list = (permissions: string[]) =>
    pam.as(anOrgAdmin(acme.partnerId, acme.orgId, { permissions: permissions as never })).get('/pam/tools');
});
