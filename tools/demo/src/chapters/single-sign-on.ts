import { signInAs } from '@gatehouse/dev-idp';
import { comeBack, cookiesOf, exchangeCode, roundTrip, startSignIn } from '../browser.ts';
import { text, type Answer, type ProductClient } from '../product-client.ts';
import type { Tenant, Tour } from '../journey.ts';
import { roleId } from './technician.ts';

const whereTo = ({ headers }: Answer): string => headers.get('location') ?? '';

async function connectProvider(
  { journey, product, settings }: Tour,
  admin: ProductClient,
  { orgId }: Tenant,
): Promise<void> {
  const provider = {
    orgId,
    name: 'Acme sign-in',
    type: 'oidc',
    issuer: settings.identityProviderUrl,
    clientId: 'gatehouse',
    clientSecret: settings.identityProviderSecret,
    autoProvision: true,
    defaultRoleId: await roleId(admin, 'organization', 'Organization Technician'),
  };
  const created = await journey.step(
    'connect the identity provider; discovery fills in its endpoints',
    201,
    () => admin.post('/sso/providers', provider),
    {
      shows: ['data.status', 'data.tokenUrl'],
      holds: (body) => !JSON.stringify(body).includes(settings.identityProviderSecret),
      settles: true,
    },
  );
  const path = `/sso/providers/${text(created.body, 'data.id')}`;
  await journey.step('test its configuration', 200, () => admin.post(`${path}/test`), { shows: ['success'] });
  await journey.step('sign-in is not offered while it is inactive', 404, () => product.get(`/sso/login/${orgId}`), {
    shows: ['code'],
  });
  await journey.step('activate it', 200, () => admin.post(`${path}/status`, { status: 'active' }), {
    shows: ['data.status'],
  });
}

/** What a session of an organisation's provider may see, and which users the provider cannot sign in. */
async function showConfinement({ journey, product, run }: Tour, person: ProductClient, tenant: Tenant): Promise<void> {
  await journey.step('the session is confined to the organisation', 200, () => person.get('/auth/me'), {
    shows: ['scope', 'orgId'],
    holds: (body) => body['scope'] === 'organization' && body['orgId'] === tenant.orgId,
  });
  await journey.step('and sees no partners', 403, () => person.get('/orgs/partners'), {
    shows: ['code'],
    settles: true,
  });
  await journey.step(
    'a user whose e-mail is not verified is sent away',
    302,
    async () => (await roundTrip(product, tenant.orgId, `grace+${run}@acme.example`)).answer,
    { holds: (_body, answer) => whereTo(answer).includes('/login?error=email_unverified') },
  );
}

/** @returns the person who signed in, confined to the organisation */
export async function singleSignOn(tour: Tour, admin: ProductClient, tenant: Tenant): Promise<ProductClient> {
  const { journey, product, run } = tour;
  journey.chapter("A person signs in through the organisation's identity provider");
  await connectProvider(tour, admin, tenant);
  const ada = `ada+${run}@acme.example`;
  const start = await startSignIn(product, tenant.orgId);
  await journey.step(
    'sign-in sends the browser to the provider with PKCE, state and nonce',
    302,
    async () => start.answer,
    {
      holds: () => ['code_challenge_method=S256', 'state=', 'nonce='].every((part) => start.location.includes(part)),
    },
  );
  const callbackUrl = await signInAs(ada, start.location);
  const back = await journey.step(
    `${ada} comes back with a code and is let in`,
    302,
    () => comeBack(product, callbackUrl, start.cookie),
    { holds: (_body, answer) => whereTo(answer).includes('/dashboard#ssoCode=') },
  );
  const code = new URL(whereTo(back), product.baseUrl).hash.replace('#ssoCode=', '');
  const exchange = (cookie: string) => exchangeCode(product, { code, cookie });
  await journey.step('another browser cannot exchange the code', 400, () => exchange(''), { shows: ['code'] });
  const tokens = await journey.step(
    'the page exchanges its one-time code for tokens',
    200,
    () => exchange(cookiesOf(back)),
    { shows: ['expiresInSeconds'] },
  );
  await journey.step('the code works once', 400, () => exchange(cookiesOf(back)), { shows: ['code'] });
  await journey.step('so does the callback', 302, () => comeBack(product, callbackUrl, start.cookie), {
    holds: (_body, answer) => whereTo(answer).includes('/login?error=session_expired'),
  });
  const person = product.as(text(tokens.body, 'accessToken'));
  await showConfinement(tour, person, tenant);
  return person;
}
