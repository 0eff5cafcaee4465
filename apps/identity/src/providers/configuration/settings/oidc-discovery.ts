import { ProblemError } from '@gatehouse/contracts-core';
import { endpointFault } from '@gatehouse/identity-domain';
import { Egress, EgressError } from '@gatehouse/egress';
import { Injectable } from '@nestjs/common';
import { parse } from 'secure-json-parse';
import type { TokenAuthMethod } from '../store/sso-provider.entity.ts';

export interface DiscoveredProvider {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userInfoUrl: string | null;
  readonly jwksUrl: string;
  readonly tokenAuthMethod: TokenAuthMethod;
  readonly announcesIss: boolean;
}

const WELL_KNOWN = '/.well-known/openid-configuration';
const MAX_URL = 500;
const OK = 200;
type Document = Readonly<Record<string, unknown>>;

const failed = (reason: string, cause?: unknown): ProblemError => {
  const refusal = new ProblemError('oidc_discovery_failed', `OIDC discovery failed: ${reason}`);
  refusal.cause = cause;
  return refusal;
};

function documentOf(text: string): Document {
  try {
    const document: unknown = parse(text, { protoAction: 'remove', constructorAction: 'remove' });
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document as Document;
  } catch (cause) {
    throw failed('the discovery document is not JSON.', cause);
  }
  throw failed('the discovery document is not an object.');
}

/** Providers differ in whether the issuer ends in a slash; ID tokens use the spelling of the discovery document. */
function issuerOf(document: Document, asked: string): string {
  const { issuer } = document;
  if (typeof issuer === 'string' && issuer.replace(/\/$/, '') === asked.replace(/\/$/, '')) return issuer;
  throw failed('the document names another issuer than the one that was asked for.');
}

/** Some providers publish members that they do not support as null, or as an empty text or list. */
const isAbsent = (value: unknown): boolean => /^\s*$/.test(String(value ?? ''));

function endpointOf(document: Document, name: string): string {
  const value = document[name];
  if (typeof value !== 'string' || value === '' || value.length > MAX_URL)
    throw failed(`the document has no usable ${name}.`);
  return value;
}

/** RFC 6749 2.3.1 prefers HTTP Basic, so it is used unless the provider does not support it. */
function authMethodOf({ token_endpoint_auth_methods_supported: supported }: Document): TokenAuthMethod {
  const isPostOnly =
    Array.isArray(supported) && supported.includes('client_secret_post') && !supported.includes('client_secret_basic');
  return isPostOnly ? 'client_secret_post' : 'client_secret_basic';
}

/** Reads an issuer's OpenID Connect discovery document and accepts it only when every endpoint may be called. */
@Injectable()
export class OidcDiscovery {
  constructor(private readonly egress: Egress) {}

  /** @param compartment the share of outbound requests to use: the provider's id */
  async discover(issuer: string, compartment: string): Promise<DiscoveredProvider> {
    const document = documentOf(await this.load(issuer, compartment));
    const found: DiscoveredProvider = {
      issuer: issuerOf(document, issuer),
      authorizationUrl: endpointOf(document, 'authorization_endpoint'),
      tokenUrl: endpointOf(document, 'token_endpoint'),
      userInfoUrl: isAbsent(document['userinfo_endpoint']) ? null : endpointOf(document, 'userinfo_endpoint'),
      jwksUrl: endpointOf(document, 'jwks_uri'),
      tokenAuthMethod: authMethodOf(document),
      announcesIss: document['authorization_response_iss_parameter_supported'] === true,
    };
    const endpoints = [found.authorizationUrl, found.tokenUrl, found.userInfoUrl, found.jwksUrl].filter(
      (url) => url !== null,
    );
    await Promise.all(endpoints.map((url) => this.vet(url)));
    return found;
  }

  private async load(issuer: string, compartment: string): Promise<string> {
    try {
      const { status, text } = await this.egress.fetch(`${issuer.replace(/\/$/, '')}${WELL_KNOWN}`, { compartment });
      if (status === OK) return text;
      throw failed(`the issuer answered ${status}.`);
    } catch (error) {
      throw error instanceof EgressError
        ? failed('the issuer cannot be reached or its address is not allowed.', error)
        : error;
    }
  }

  private async vet(url: string): Promise<void> {
    if (endpointFault(url)) throw failed('the document names an endpoint with credentials or a fragment.');
    await this.egress.vet(url).catch((error: unknown) => {
      throw failed('the document names an endpoint that is not https or not public.', error);
    });
  }
}
