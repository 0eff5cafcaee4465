import type { Api, RunningProduct } from '@gatehouse/stack';
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expectStatus, send } from './http.ts';

/** The fields with which an OpenID provider is created. */
export interface OidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Made {
  readonly id: string;
}

const MAIL_PATIENCE_MS = 20_000;

async function roleId(admin: Api, axis: 'partner' | 'organization', name: string): Promise<string> {
  const { data } = await admin.must<{ data: { id: string; name: string }[] }>('GET', `/roles?axis=${axis}`);
  return data.find((role) => role.name === name)?.id ?? '';
}

/** The fields with which a SAML provider is created. */
export interface SamlProvider {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificate: string;
}

/** An organisation whose users sign in through the provider and are created at their first sign-in. */
export const organizationWithProvider = (
  admin: Api,
  partnerId: string,
  { issuer, clientId, clientSecret }: OidcProvider,
): Promise<string> => organizationWith(admin, partnerId, { type: 'oidc', issuer, clientId, clientSecret });

export const organizationWithSaml = (
  admin: Api,
  partnerId: string,
  { entityId, ssoUrl, certificate }: SamlProvider,
): Promise<string> => organizationWith(admin, partnerId, { type: 'saml', entityId, ssoUrl, certificate });

async function organizationWith(admin: Api, partnerId: string, settings: object): Promise<string> {
  const slug = `sso-${randomUUID().slice(0, 8)}`;
  const org = await admin.must<Made>('POST', '/orgs/organizations', { partnerId, name: slug, slug });
  const defaultRoleId = await roleId(admin, 'organization', 'Organization Technician');
  const provider = { orgId: org.id, name: slug, ...settings, autoProvision: true, defaultRoleId };
  const { data } = await admin.eventually<{ data: Made }>('POST', '/sso/providers', provider);
  await admin.must('POST', `/sso/providers/${data.id}/status`, { status: 'active' });
  return org.id;
}

async function invitationTo(product: RunningProduct, email: string): Promise<string> {
  const directory = join(product.directory, 'mail');
  for (const deadline = Date.now() + MAIL_PATIENCE_MS; Date.now() < deadline; await pause(100)) {
    for (const name of await readdir(directory).catch(() => [])) {
      const mail = (await readFile(join(directory, name), 'utf8')).replace(/=\r?\n/g, '').replace(/=3D/gi, '=');
      const token = mail.includes(email) && /accept-invite\?token=([\w.~-]+)/.exec(mail)?.[1];
      if (token) return token;
    }
  }
  throw new Error(`no invitation to ${email} arrived in ${directory}`);
}

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A user who signs in with a password and has no second factor. */
export async function invite(product: RunningProduct, admin: Api, partnerId: string): Promise<Person> {
  const person = { email: `p-${randomUUID().slice(0, 8)}@bench.example`, password: randomUUID() };
  const membership = {
    scope: 'partner',
    partnerId,
    orgAccess: 'all',
    roleId: await roleId(admin, 'partner', 'Partner Technician'),
  };
  await admin.eventually('POST', '/users', { email: person.email, name: 'Bench', membership });
  await admin.must('POST', '/auth/accept-invite', {
    token: await invitationTo(product, person.email),
    password: person.password,
  });
  return person;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

interface SsoSignIn {
  readonly baseUrl: string;
  readonly orgId: string;
  /** The user whom the provider signs in. */
  readonly email: string;
  readonly signal?: AbortSignal;
}

const tokensIn = ({ text }: { text: string }): Tokens => JSON.parse(text) as Tokens;

/**
 * One full sign-in as a browser does it: start, provider, callback, exchange.
 * @throws Error with the answer that came instead of a session
 */
export async function signInThroughProvider({ baseUrl, orgId, email, signal }: SsoSignIn): Promise<Tokens> {
  const start = await expectStatus(302, `${baseUrl}/api/v1/sso/login/${orgId}`, { signal });
  const authorization = new URL(start.location);
  authorization.searchParams.set('login_hint', email);
  const { pathname, search } = new URL((await send(authorization.href, { signal })).location);
  const back = await expectStatus(302, `${baseUrl}${pathname}${search}`, { headers: { cookie: start.cookie }, signal });
  const code = /#ssoCode=(.+)$/.exec(back.location)?.[1];
  if (!code) throw new Error(`the callback led to ${back.location}`);
  return tokensIn(
    await expectStatus(200, `${baseUrl}/api/v1/sso/exchange`, {
      method: 'POST',
      headers: { cookie: back.cookie },
      body: { code },
      signal,
    }),
  );
}

export const signInWithPassword = async (baseUrl: string, { email, password }: Person): Promise<Tokens> =>
  tokensIn(await expectStatus(200, `${baseUrl}/api/v1/auth/login`, { method: 'POST', body: { email, password } }));

export const refresh = async (baseUrl: string, { refreshToken }: Tokens): Promise<Tokens> =>
  tokensIn(await expectStatus(200, `${baseUrl}/api/v1/auth/refresh`, { method: 'POST', body: { refreshToken } }));
