import { DOMParser } from '@xmldom/xmldom';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { inflateRawSync } from 'node:zlib';
import { DEMO_USERS, type DevUser, userByEmail } from '../dev-users.ts';
import { listen } from '../start-dev-idp.ts';
import { escapeMarkup as escape, page, readForm, signInPage } from '../sign-in-page.ts';
import { buildResponse, EMAIL_NAME_ID, type ResponseFields } from './build-response.ts';
import { newSamlKey, pemBody, type SamlKey } from './saml-key.ts';

/** The HTTP-POST binding: a form that posts itself, with a button for browsers without scripts. */
function postingPage(acsUrl: string, samlResponse: string, relayState: string | null): string {
  const relay = relayState === null ? '' : `<input type="hidden" name="RelayState" value="${escape(relayState)}">`;
  return page(
    'Signing in',
    `<form method="post" action="${escape(acsUrl)}">
<input type="hidden" name="SAMLResponse" value="${samlResponse}">${relay}
<button type="submit">Continue</button></form>
<script>document.forms[0].submit()</script>`,
  );
}

function metadata(entityId: string, ssoUrl: string, certificates: readonly string[]): string {
  const keys = certificates.map(
    (pem) =>
      '<md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data>' +
      `<ds:X509Certificate>${pemBody(pem)}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
  );
  return (
    '<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata"' +
    ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escape(entityId)}">` +
    `<md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys.join('')}` +
    `<md:NameIDFormat>${EMAIL_NAME_ID}</md:NameIDFormat>` +
    `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${escape(ssoUrl)}"/>` +
    '</md:IDPSSODescriptor></md:EntityDescriptor>'
  );
}

interface AuthnRequest {
  readonly id: string;
  readonly issuer: string;
  readonly acsUrl: string;
  readonly nameIdFormat?: string;
  readonly forceAuthn: boolean;
}

const LARGEST_REQUEST = 65_536;

/** Reads a SAMLRequest of the HTTP-Redirect binding (SAML bindings 3.4.4.1). Its signature, if any, is not checked. */
function readAuthnRequest(samlRequest: string): AuthnRequest {
  const xml = inflateRawSync(Buffer.from(samlRequest, 'base64'), { maxOutputLength: LARGEST_REQUEST }).toString('utf8');
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const root = document.documentElement;
  const child = (name: string) => root.getElementsByTagNameNS('*', name)[0];
  if (root.localName !== 'AuthnRequest') throw new Error('not an AuthnRequest');
  return {
    id: root.getAttribute('ID') ?? '',
    issuer: child('Issuer')?.textContent?.trim() ?? '',
    acsUrl: root.getAttribute('AssertionConsumerServiceURL') ?? '',
    nameIdFormat: child('NameIDPolicy')?.getAttribute('Format') || undefined,
    forceAuthn: root.getAttribute('ForceAuthn') === 'true',
  };
}

export interface SamlIdpOptions {
  port?: number;
  users?: DevUser[];
  autoLogin?: boolean;
  /** Who signs in automatically; default the first user. */
  defaultUser?: string;
  nameId?: (user: DevUser) => string;
  attributes?: (user: DevUser) => Record<string, string | string[]>;
  /** Applied to every response that the provider sends, over the honest values. */
  responseFields?: Partial<ResponseFields>;
  /** Default: `/api/v1/sso/saml/acs` on any port of this machine. */
  acsUrlAllowed?: (url: string) => boolean;
}

export interface SamlIdp {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly metadataUrl: string;
  readonly users: DevUser[];
  /** The certificates it publishes, PEM, the signing one first. */
  readonly certificates: readonly string[];
  /** A response as this provider would sign it, any field overridden: for posts that no honest browser would make. */
  buildResponse(fields: Partial<ResponseFields> & Pick<ResponseFields, 'acsUrl' | 'audience' | 'inResponseTo'>): string;
  /** Publishes a second certificate; signing goes on with the first. */
  prepareRollover(): Promise<void>;
  /** Signs with the second certificate and withdraws the first. */
  completeRollover(): void;
  stop(): Promise<void>;
}

const CLAIM = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** The attribute names that the common vendors send (SSO-15). */
export function standardAttributes(user: DevUser): Record<string, string | string[]> {
  const named = {
    [`${CLAIM}/emailaddress`]: user.email,
    [`${CLAIM}/name`]: user.name,
    [`${CLAIM}/givenname`]: user.given_name,
    [`${CLAIM}/surname`]: user.family_name,
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups': user.groups,
  };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
  );
}

/** A SAML identity provider on loopback: HTTP-Redirect in, self-posting form out. */
export async function startSamlIdp(options: SamlIdpOptions = {}): Promise<SamlIdp> {
  const door = await listen(options.port ?? 0);
  const { idp, listener } = await samlIdp(door.url, options);
  door.answerWith(listener);
  return {
    ...idp,
    get certificates() {
      return idp.certificates;
    },
    stop: door.stop,
  };
}

/** The provider under a base address, with its request listener, for a server that serves more than it. */
export async function samlIdp(
  url: string,
  options: SamlIdpOptions,
): Promise<{ idp: Omit<SamlIdp, 'stop'>; listener: RequestListener }> {
  const entityId = `${url}/saml/metadata`;
  const users = options.users ?? DEMO_USERS.map((user) => ({ ...user }));
  let signing = await newSamlKey();
  let next: SamlKey | undefined;
  const idp: Omit<SamlIdp, 'stop'> = {
    entityId,
    ssoUrl: `${url}/saml/sso`,
    metadataUrl: entityId,
    users,
    get certificates() {
      return [signing, ...(next ? [next] : [])].map((key) => key.certificatePem);
    },
    buildResponse: (fields) =>
      buildResponse({
        key: signing,
        issuer: entityId,
        nameId: users[0]?.email ?? '',
        ...fields,
      }),
    prepareRollover: async () => void (next = await newSamlKey()),
    completeRollover: () => void ([signing, next] = [next ?? signing, undefined]),
  };
  const listener: RequestListener = (request, response) => {
    answer(idp, options, request, response).catch((error: unknown) => {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(String(error));
    });
  };
  return { idp, listener };
}

async function answer(
  idp: Omit<SamlIdp, 'stop'>,
  options: SamlIdpOptions,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(incoming.url ?? '/', idp.ssoUrl);
  if (url.pathname === '/saml/metadata') {
    return send(response, 200, 'application/samlmetadata+xml', metadata(idp.entityId, idp.ssoUrl, idp.certificates));
  }
  if (url.pathname !== '/saml/sso') return send(response, 404, 'text/plain', 'not found');
  const form = incoming.method === 'POST' ? await readForm(incoming) : url.searchParams;
  const email = form.get('email') ?? automaticEmail(idp, options);
  const user = userByEmail(idp.users, email);
  const [status, body] = user
    ? [200, respond(idp, options, form, user)]
    : [email ? 401 : 200, signInPageFor(idp, form)];
  send(response, status, 'text/html; charset=utf-8', body);
}

function automaticEmail({ users }: Omit<SamlIdp, 'stop'>, { autoLogin, defaultUser }: SamlIdpOptions): string {
  return autoLogin ? (defaultUser ?? users[0]?.email ?? '') : '';
}

function signInPageFor(idp: Omit<SamlIdp, 'stop'>, form: URLSearchParams): string {
  readAuthnRequest(form.get('SAMLRequest') ?? '');
  const hidden = Object.fromEntries([...form].filter(([name]) => ['SAMLRequest', 'RelayState'].includes(name)));
  const failure = form.has('email') ? 'No user here has this e-mail address.' : undefined;
  const knownEmails = idp.users.map((known) => known.email);
  return signInPage({ action: '/saml/sso', email: form.get('email') ?? '', knownEmails, failure, hidden });
}

function respond(idp: Omit<SamlIdp, 'stop'>, options: SamlIdpOptions, form: URLSearchParams, user: DevUser): string {
  const request = readAuthnRequest(form.get('SAMLRequest') ?? '');
  if (!(options.acsUrlAllowed ?? isLocalAcs)(request.acsUrl))
    throw new Error(`not an allowed ACS address: ${request.acsUrl}`);
  const samlResponse = idp.buildResponse({
    acsUrl: request.acsUrl,
    audience: request.issuer,
    inResponseTo: request.id,
    nameId: (options.nameId ?? ((known) => known.email))(user),
    ...(request.nameIdFormat ? { nameIdFormat: request.nameIdFormat } : {}),
    attributes: (options.attributes ?? standardAttributes)(user),
    ...options.responseFields,
  });
  return postingPage(request.acsUrl, samlResponse, form.get('RelayState'));
}

function isLocalAcs(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, pathname } = new URL(url);
  return protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname) && pathname === '/api/v1/sso/saml/acs';
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}
