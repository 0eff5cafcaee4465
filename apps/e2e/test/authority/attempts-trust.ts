import { attempt } from './attempt.ts';
import type { Draw } from './draw.ts';

/** The settings that make a provider trusted, pointed at the hostile provider. */
const settings = (d: Draw): Record<string, unknown> => ({
  autoProvision: d.flag(),
  defaultRoleId: d.id('role'),
  enforceSSO: d.flag(),
  trustsIdpMfa: d.flag(),
  allowedDomains: d.dice.one([null, 'evil.example', 'victim.example']),
});
const hostile = ({ idp }: Draw): Record<string, unknown> => ({
  issuer: idp.issuer,
  clientId: idp.clientId,
  clientSecret: idp.clientSecret,
});
const owner = (d: Draw): Record<string, unknown> =>
  d.dice.chance(0.3) ? { ownerScope: 'partner' } : { orgId: d.id('org') };

/** Identity providers, domains and links. */
export const TRUST = [
  attempt(
    'POST /sso/providers',
    {},
    (d) => ({ name: d.name(), type: 'oidc', ...owner(d), ...hostile(d), ...d.dice.members(settings(d)) }),
    { makes: 'provider', times: 5 },
  ),
  attempt('PATCH /sso/providers/{id}', { id: 'provider' }, (d) => d.dice.members({ ...settings(d), name: d.name() }), {
    times: 4,
  }),
  attempt('PATCH /sso/providers/{id}', { id: 'provider' }, hostile, { times: 3 }),
  attempt(
    'POST /sso/providers/{id}/status',
    { id: 'provider' },
    (d) => ({ status: d.dice.one(['active', 'active', 'inactive', 'testing']) }),
    { times: 5, query: (d) => (d.flag() ? '?force=true' : '') },
  ),
  attempt(
    'PUT /sso/providers/{id}/enforcement',
    { id: 'provider' },
    (d) => ({ stage: d.dice.one(['enforce', 'enforce', 'observe', 'off']), force: d.flag(), confirmStuck: 0 }),
    { times: 2 },
  ),
  attempt('POST /sso/providers/{id}/test', { id: 'provider' }, () => ({})),
  attempt('POST /sso/providers/{id}/test-sign-ins', { id: 'provider' }, () => ({})),
  attempt('DELETE /sso/providers/{id}', { id: 'provider' }),
  attempt(
    'POST /sso/domains',
    {},
    (d) => ({ orgId: d.id('org'), domain: d.dice.one(['victim.example', 'evil.example', `${d.name()}.example`]) }),
    { makes: 'domain', times: 2 },
  ),
  attempt('POST /sso/domains/{id}/verify', { id: 'domain' }, () => ({}), { times: 2 }),
  attempt('DELETE /sso/domains/{id}', { id: 'domain' }),
  attempt(
    'POST /sso/setup-links',
    {},
    (d) => ({ ...owner(d), ...d.optional('defaultRoleId', 'role'), mayActivate: true }),
    {
      makes: 'setupLink',
      times: 2,
    },
  ),
  attempt('DELETE /sso/setup-links/{id}', { id: 'setupLink' }),
  attempt('POST /sso/link/start/{providerId}', { providerId: 'provider' }, () => ({})),
  attempt('POST /sso/link/confirm', {}, () => ({ password: 'not the password' })),
  attempt('DELETE /sso/link/{providerId}', { providerId: 'provider' }),
  attempt('POST /sso/exchange', {}, (d) => ({ code: d.name().padEnd(43, 'x') })),
];
