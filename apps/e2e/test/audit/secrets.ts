import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from './stage.ts';

/**
 * Names of secret members in requests and answers. Six-digit codes are left out, because any number could match one.
 */
const SECRET =
  /^(password|newPassword|currentPassword|clientSecret|secret|accessToken|refreshToken|mfaToken|token|agentToken|enrollmentKey|key|recoveryCodes|code|code_verifier|SAMLResponse)$/;
const IN_ADDRESS = /(?:ssoCode|token|handle|code|state|nonce|code_challenge|svc_sso_\w+)=([\w.~%-]{20,})/g;
/** The search would find shorter texts by coincidence. */
const MIN_LENGTH = 10;

function secretsIn(value: unknown, isSecret = false): string[] {
  if (typeof value === 'string')
    return isSecret ? [value] : [...value.matchAll(IN_ADDRESS)].map(([, found = '']) => decodeURIComponent(found));
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, isSecret));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => secretsIn(member, SECRET.test(name)));
}

/**
 * The secrets that the identity provider received: the authorization code, the verifier, its client secret, its access
 * token.
 */
const atProvider = ({ idp }: Stage): string[] => [
  idp.clientSecret,
  ...idp.requests.flatMap(({ form, headers }) => [
    form?.get('code') ?? '',
    form?.get('code_verifier') ?? '',
    String(headers['authorization'] ?? '').split(' ')[1] ?? '',
  ]),
];

/** The values of all secrets that the test used. */
export function secretsOf(stage: Stage): string[] {
  const { world, tenant, log, boss } = stage;
  const made = JSON.parse(readFileSync(join(world.product.directory, 'credentials.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  const generated = Object.values(made).flatMap((value) =>
    typeof value === 'string' ? [value] : [String((value as { d?: string }).d ?? '')],
  );
  const all = [
    ...generated,
    ...atProvider(stage),
    tenant.agentToken,
    boss.api.accessToken ?? '',
    ...log.exchanged.flatMap((value) => secretsIn(value)),
  ];
  return [...new Set(all)].filter((secret) => secret.length >= MIN_LENGTH);
}
