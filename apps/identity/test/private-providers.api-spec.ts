import { loadConfig } from '@gatehouse/service';
import { startFakeDns } from '@gatehouse/testing';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityConfig } from '../src/identity.config.ts';
import { SsoHarness, startScriptedIdp } from './sso.harness.ts';

const INSIDE = '10.9.0.1';

const [idp, dns] = await Promise.all([startScriptedIdp(), startFakeDns()]);
for (const name of ['adfs.corp.example', 'other.corp.example']) dns.records[name] = { A: [INSIDE] };
dns.records['cloud.corp.example'] = { A: ['100.100.100.200'] };
const sso = await SsoHarness.start([idp.issuer], {
  DNS_SERVERS: dns.address,
  EGRESS_PRIVATE_ALLOW: 'adfs.corp.example, cloud.corp.example',
});
const tenant = await sso.tenant();
const provider = await sso.provider(tenant, idp);
afterAll(async () => {
  await sso.stop();
  await Promise.all([idp.stop(), dns.stop()]);
});

describe('EGRESS_PRIVATE_ALLOW', () => {
  it('lets providers have endpoints at the private hosts that it lists, over https (SSO-06)', async () => {
    expect(await statusOf('https://adfs.corp.example/adfs/oauth2/token')).toBe(200);
  });

  it.each([
    'https://other.corp.example/token',
    'http://adfs.corp.example/token',
    `https://${INSIDE}/token`,
    'https://cloud.corp.example/token',
  ])('opens nothing else: %s', async (url) => {
    expect(await statusOf(url)).toBe(400);
  });

  it.each(['0.0.0.0/0', '127.0.0.0/8', '169.254.169.254', 'https://adfs.corp.example'])(
    'stops the process by its name when it is %s',
    (value) => {
      expect(() => loadConfig(IdentityConfig, { EGRESS_PRIVATE_ALLOW: value })).toThrow(
        /EGRESS_PRIVATE_ALLOW must list names of hosts and private networks/,
      );
    },
  );
});

const statusOf = async (tokenUrl: string): Promise<number> =>
  (await sso.service.as(tenant.admin).patch(`/sso/providers/${provider}`).send({ tokenUrl })).status;
