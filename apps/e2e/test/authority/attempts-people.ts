import { PASSWORD } from './person.ts';
import { attempt } from './attempt.ts';

/** Users, roles, API keys, and users' own sign-in methods. */
export const PEOPLE = [
  attempt('POST /users', {}, (d) => ({ email: d.email(), name: 'Accomplice', membership: d.membership() }), {
    times: 6,
  }),
  attempt('PATCH /users/{id}', { id: 'user' }, (d) => ({ membership: d.membership() }), { times: 6 }),
  attempt(
    'PATCH /users/{id}',
    { id: 'user' },
    (d) => d.dice.members({ name: d.name(), status: d.dice.one(['active', 'suspended']), breakGlass: d.flag() }),
    { times: 2 },
  ),
  attempt('DELETE /users/{id}', { id: 'user' }),
  attempt('POST /users/{id}/invitation', { id: 'invitation' }, undefined, { times: 2 }),
  attempt('DELETE /users/{id}/invitation', { id: 'invitation' }, undefined, { times: 2 }),
  attempt('DELETE /users/{id}/mfa', { id: 'user' }, undefined, { times: 2 }),
  attempt('DELETE /users/{id}/sessions', { id: 'user' }, undefined, { times: 2 }),
  attempt(
    'POST /roles',
    {},
    (d) => {
      const axis = d.dice.one(['partner', 'organization']);
      const owner = d.dice.members({ partnerId: d.id('partner'), orgId: d.id('org'), none: null });
      return {
        name: d.name(),
        axis,
        permissions: d.permissions(),
        ...(owner['partnerId'] ? { partnerId: owner['partnerId'] } : {}),
        ...(owner['orgId'] ? { orgId: owner['orgId'] } : {}),
      };
    },
    { makes: 'role', times: 4 },
  ),
  attempt(
    'PATCH /roles/{id}',
    { id: 'role' },
    (d) => d.dice.members({ name: d.name(), permissions: d.permissions() }),
    { times: 6 },
  ),
  attempt('DELETE /roles/{id}', { id: 'role' }),
  // The label is often the address of another person, which decides nothing.
  attempt('POST /api-keys', {}, (d) => ({ name: d.email(), permissions: d.permissions() }), {
    makes: 'apiKey',
    times: 4,
  }),
  attempt('DELETE /api-keys/{id}', { id: 'apiKey' }),
  attempt('POST /auth/change-password', {}, () => ({ currentPassword: PASSWORD, newPassword: PASSWORD })),
  attempt('POST /auth/forgot-password', {}, (d) => ({ email: d.email() })),
  attempt('POST /auth/reset-password', {}, (d) => ({ token: d.name().padEnd(43, 'x'), password: PASSWORD })),
  attempt('POST /auth/refresh', {}, ({ actor: { api } }) => ({ refreshToken: api?.refreshToken ?? 'x'.repeat(43) }), {
    times: 4,
  }),
  attempt('POST /auth/membership', {}, (d) => ({ membershipId: d.id('membership') }), { times: 6 }),
  attempt('POST /auth/accept-invite', {}, (d) => ({ token: d.name().padEnd(43, 'x'), password: PASSWORD })),
  attempt('POST /auth/login', {}, (d) => ({ email: d.email(), password: PASSWORD })),
  attempt('POST /auth/mfa/verify', {}, (d) => ({ mfaToken: d.name().padEnd(43, 'x'), code: '000000' })),
  attempt('POST /auth/mfa/step-up', {}, () => ({ code: '000000' })),
  attempt('POST /auth/mfa/totp/enroll', {}, () => ({})),
  attempt('POST /auth/mfa/totp/confirm', {}, () => ({ code: '000000' })),
  attempt('POST /auth/mfa/recovery-codes', {}, () => ({})),
  attempt('DELETE /auth/mfa/factors/{id}', { id: 'factor' }),
  attempt('POST /auth/mfa/webauthn/register/options', {}, () => ({})),
  attempt('POST /auth/mfa/webauthn/register/verify', {}, () => ({ response: {} })),
  attempt('POST /auth/mfa/webauthn/sign-in/options', {}, (d) => ({ mfaToken: d.name().padEnd(43, 'x') })),
  attempt('POST /auth/mfa/webauthn/sign-in/verify', {}, (d) => ({ mfaToken: d.name().padEnd(43, 'x'), response: {} })),
  attempt('POST /auth/mfa/webauthn/step-up/options', {}, () => ({})),
  attempt('POST /auth/mfa/webauthn/step-up/verify', {}, () => ({ response: {} })),
];
