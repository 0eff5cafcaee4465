import { KeyRing } from '@gatehouse/crypto';
import { EMAIL_NAME_ID } from '@gatehouse/identity-domain';
import { BASE_URL } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { generateServiceProviderMetadata, SAML } from '@node-saml/node-saml';
import { availableParallelism } from 'node:os';
import { IdentityConfig, SAML_WORKER } from '../../identity.config.ts';
import { signingCertificates } from '../../providers/configuration/certificates/certificate-keys.ts';
import { pemsOf } from '../../providers/configuration/certificates/saml-certificates.ts';
import { decryptionKeys } from '../../providers/configuration/sso-providers.service.ts';
import type { SsoProvider } from '../../providers/configuration/store/sso-provider.entity.ts';
import { CONTENT_CIPHERS, ENC11, KEY_TRANSPORTS } from './verification/encryption.ts';
import type { SamlQuestion, VerifiedResponse } from './verification/verify-response.ts';
import { WorkerPool } from './verification/worker-pool.ts';

const ACS_PATH = '/api/v1/sso/saml/acs';
export const METADATA_PATH = '/api/v1/sso/saml/metadata';
export const COMPLETE_PATH = '/api/v1/sso/saml/complete';

/** Half of the processors: the main thread and the other services need the rest. */
const THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
const VERIFICATIONS = {
  program: SAML_WORKER,
  threads: THREADS,
  deadlineMs: 5_000,
  timeoutMs: 5_000,
  waitingInLane: 16,
  waiting: 128,
  memoryMb: 128,
} as const;

export interface PostedResponse {
  /** The response as posted, in base64. */
  readonly response: string;
  readonly requestId: string;
  /** The queue of this response. Responses of one lane are verified one after another and do not delay other lanes. */
  readonly lane: string;
}

/** What a provider needs to encrypt assertions for us, and every way in which it may (SSO-181). */
function keyDescriptor(certificate: string): string {
  const methods = [
    ...CONTENT_CIPHERS.map(({ algorithm }) => `<EncryptionMethod Algorithm="${algorithm}"/>`),
    ...KEY_TRANSPORTS.map(
      ({ algorithm, digest, mask }) =>
        `<EncryptionMethod Algorithm="${algorithm}"><ds:DigestMethod Algorithm="${digest}"/>` +
        `${algorithm.endsWith('mgf1p') ? '' : `<xenc11:MGF xmlns:xenc11="${ENC11}" Algorithm="${mask}"/>`}</EncryptionMethod>`,
    ),
  ];
  const body = certificate.replace(/-----[^-]+-----|\s/g, '');
  return (
    '<KeyDescriptor use="encryption"><ds:KeyInfo><ds:X509Data>' +
    `<ds:X509Certificate>${body}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${methods.join('')}</KeyDescriptor>`
  );
}

/** Creates requests with node-saml; worker threads verify the responses, because their content is not trusted. */
@Injectable()
export class SamlEngine implements OnApplicationShutdown {
  readonly entityId: string;
  readonly acsUrl: string;
  private readonly verifications = new WorkerPool<SamlQuestion, VerifiedResponse>(VERIFICATIONS);

  constructor(
    @Inject(BASE_URL) baseUrl: string,
    config: IdentityConfig,
    private readonly keyRing: KeyRing,
  ) {
    this.entityId = config.samlEntityId ?? `${baseUrl}${METADATA_PATH}`;
    this.acsUrl = `${baseUrl}${ACS_PATH}`;
  }

  onApplicationShutdown(): Promise<void> {
    return this.verifications.close();
  }

  /**
   * SSO-30: the service provider metadata.
   * @param encryptionCertificate the one (PEM) with which the asking provider encrypts; the library would list CBC too
   */
  metadata(encryptionCertificate: string | null): string {
    const xml = generateServiceProviderMetadata({
      issuer: this.entityId,
      callbackUrl: this.acsUrl,
      identifierFormat: EMAIL_NAME_ID,
      wantAssertionsSigned: true,
    });
    return encryptionCertificate === null
      ? xml
      : xml.replace(/<SPSSODescriptor[^>]*>/, (start) => `${start}${keyDescriptor(encryptionCertificate)}`);
  }

  /** Returns the address (HTTP-Redirect binding) that carries the request to the provider. */
  loginUrl(
    provider: SsoProvider,
    { requestId, relayState }: { requestId: string; relayState: string },
  ): Promise<string> {
    const request = new SAML({
      entryPoint: provider.ssoUrl ?? '',
      issuer: this.entityId,
      callbackUrl: this.acsUrl,
      audience: this.entityId,
      idpCert: pemsOf(provider.certificate ?? ''),
      identifierFormat: provider.nameIdFormat ?? EMAIL_NAME_ID,
      forceAuthn: provider.forceAuthn,
      disableRequestedAuthnContext: true,
      generateUniqueId: () => requestId,
    });
    return request.getAuthorizeUrlAsync(relayState, undefined, {});
  }

  /**
   * Verifies that a response is genuine, comes from this provider and answers this request, and returns its subject.
   * @throws PoolBusy when too many responses are queued; Error when the response is invalid
   */
  verify(provider: SsoProvider, { response, requestId, lane }: PostedResponse): Promise<VerifiedResponse> {
    const expected = {
      acsUrl: this.acsUrl,
      audience: this.entityId,
      issuer: provider.entityId ?? '',
      requestId,
      now: new Date(),
    };
    return this.verifications.run(lane, {
      response,
      expected,
      certificates: signingCertificates(provider),
      decryptionKeys: decryptionKeys(this.keyRing, provider),
    });
  }
}
