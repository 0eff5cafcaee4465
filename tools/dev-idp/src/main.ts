import { DEMO_USERS } from './dev-users.ts';
import { inbox } from './inbox.ts';
import { DEMO_CLIENT_ID, DEMO_CLIENT_SECRET, devIdpListener, listen } from './start-dev-idp.ts';
import { samlIdp } from './saml/start-saml-idp.ts';
import { escapeMarkup, page } from './sign-in-page.ts';

const door = await listen(Number(process.env['DEV_IDP_PORT'] ?? 0), process.env['DEV_IDP_HOST']);
const issuer = process.env['DEV_IDP_ISSUER'] ?? door.url;
const users = DEMO_USERS.map((user) => ({ ...user }));
const clientSecret = process.env['DEV_IDP_CLIENT_SECRET'] ?? DEMO_CLIENT_SECRET;
const oidc = await devIdpListener({ issuer, users, clientSecret });
const saml = await samlIdp(issuer, { users });

const index = page(
  'Demo identity provider',
  `<p>For trying sign-in on this machine only: any password is right.</p>
<h2>OpenID Connect</h2><dl><dt>Issuer</dt><dd>${escapeMarkup(issuer)}</dd><dt>Client id</dt><dd>${DEMO_CLIENT_ID}</dd></dl>
<h2>SAML 2.0</h2><dl><dt>Metadata and entity id</dt><dd><a href="/saml/metadata">${escapeMarkup(saml.idp.entityId)}</a></dd>
<dt>Sign-in address</dt><dd>${escapeMarkup(saml.idp.ssoUrl)}</dd></dl>
<h2>People</h2><ul>${users.map(({ email, email_verified }) => `<li>${email} (e-mail ${email_verified ? '' : 'not '}verified)</li>`).join('')}</ul>`,
);

const webhooks = inbox();

door.answerWith((request, response) => {
  const path = request.url ?? '/';
  if (path === '/') return void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(index);
  if (path.startsWith('/inbox/')) return void webhooks(request, response).catch(() => response.destroy());
  return path.startsWith('/saml/') ? saml.listener(request, response) : oidc(request, response);
});

process.stdout.write(
  `${JSON.stringify({
    ready: true,
    url: door.url,
    issuer,
    clientId: DEMO_CLIENT_ID,
    saml: { entityId: saml.idp.entityId, ssoUrl: saml.idp.ssoUrl, metadataUrl: saml.idp.metadataUrl },
  })}\n`,
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void door.stop().then(() => process.exit(0)));
}
