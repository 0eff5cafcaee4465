import { EMAIL_NAME_ID, type SamlSubject } from '@gatehouse/identity-domain';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable } from '@nestjs/common';
import { generateServiceProviderMetadata, SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { IdentityConfig } from '../identity.config.ts';
import { pemsOf } from '../sso-providers/saml-certificates.ts';
import type { SsoProvider } from '../sso-providers/sso-provider.entity.ts';
import { CLOCK_SKEW_MS, decodeResponse, requireAssertion, requireResponse, type SamlExpectation } from './saml-rules.ts';
import { attribute, childrenNamed, parseXml, textOf, type XmlElement } from './xml.ts';

export const ACS_PATH = '/api/v1/sso/saml/acs';
const METADATA_PATH = '/api/v1/sso/saml/metadata';

function subjectOf(assertion: XmlElement): SamlSubject {
  const [nameId] = childrenNamed(assertion, 'Subject').flatMap((subject) => childrenNamed(subject, 'NameID'));
  const [authentication] = childrenNamed(assertion, 'AuthnStatement');
  const attributes = childrenNamed(assertion, 'AttributeStatement').flatMap((statement) => childrenNamed(statement, 'Attribute'));
  return {
    nameId: textOf(nameId), nameIdFormat: attribute(nameId, 'Format'), sessionIndex: attribute(authentication, 'SessionIndex'),
    attributes: attributes.map((one) => [attribute(one, 'Name') ?? '', childrenNamed(one, 'AttributeValue').map(textOf)] as const),
  };
}

/** node-saml makes the request and verifies the signature; what it leaves unchecked is in saml-rules. */
@Injectable()
export class SamlEngine {
  readonly entityId: string;
  private readonly acsUrl: string;

  constructor(@Inject(BASE_URL) baseUrl: string, config: IdentityConfig) {
    this.entityId = config.samlEntityId ?? `${baseUrl}${METADATA_PATH}`;
    this.acsUrl = `${baseUrl}${ACS_PATH}`;
  }

  /** SSO spec, "SAML support": our side's metadata. */
  metadata(): string {
    return generateServiceProviderMetadata({ issuer: this.entityId, callbackUrl: this.acsUrl, identifierFormat: EMAIL_NAME_ID, wantAssertionsSigned: true });
  }

  /** The address (HTTP-Redirect binding) that carries the request to the provider. */
  loginUrl(provider: SsoProvider, { requestId, relayState }: { requestId: string; relayState: string }): Promise<string> {
    return this.samlFor(provider, { generateUniqueId: () => requestId }).getAuthorizeUrlAsync(relayState, undefined, {});
  }

  /**
   * The subject of a response that is genuine, from this provider, and the answer to this request. Reads the signed bytes only.
   * @throws Error for anything else
   */
  async verify(provider: SsoProvider, response: string, requestId: string): Promise<SamlSubject> {
    const expected: SamlExpectation = { acsUrl: this.acsUrl, audience: this.entityId, issuer: provider.entityId ?? '', requestId, now: new Date() };
    const xml = decodeResponse(response);
    requireResponse(await parseXml(xml), expected);
    const { profile } = await this.samlFor(provider).validatePostResponseAsync({ SAMLResponse: Buffer.from(xml, 'utf8').toString('base64') });
    const signed = profile?.getAssertionXml?.();
    if (!signed) throw new Error('the SAML response has no verified assertion');
    const assertion = await parseXml(signed);
    requireAssertion(assertion, expected);
    return subjectOf(assertion);
  }

  private samlFor(provider: SsoProvider, more: Partial<SamlConfig> = {}): SAML {
    return new SAML({
      entryPoint: provider.ssoUrl ?? '', issuer: this.entityId, callbackUrl: this.acsUrl, audience: this.entityId, idpCert: pemsOf(provider.certificate ?? ''),
      identifierFormat: provider.nameIdFormat ?? EMAIL_NAME_ID, forceAuthn: provider.forceAuthn, disableRequestedAuthnContext: true, signatureAlgorithm: 'sha256',
      wantAssertionsSigned: true, wantAuthnResponseSigned: false, acceptedClockSkewMs: CLOCK_SKEW_MS,
      // The attempt that holds the request id is consumed before this runs, by all replicas together.
      validateInResponseTo: ValidateInResponseTo.never,
      ...more,
    });
  }
}
