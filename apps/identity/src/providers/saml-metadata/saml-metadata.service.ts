import { invalid, ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { ReadSamlMetadataDto, SamlMetadataRecord, SamlMetadataResponse } from '@gatehouse/contracts-identity';
import { Egress, EgressError } from '@gatehouse/egress';
import { Injectable } from '@nestjs/common';
import { X509Certificate } from 'node:crypto';
import { keyFault, usableUntil } from '../configuration/certificates/certificate-keys.ts';
import { EndpointCheck } from '../configuration/settings/endpoint-check.ts';
import { MetadataFault, readCurrentMetadata, readMetadata } from './metadata-document.ts';

const OK = 200;

/** All that is told of a place inside the network, so that the answer maps no servers there. */
const UNREACHABLE = 'The address of the metadata cannot be reached or is not allowed.';

const failed = (code: 'saml_metadata_invalid' | 'saml_metadata_unreachable', detail: string, cause?: unknown) => {
  const problem = new ProblemError(code, detail);
  problem.cause = cause;
  return problem;
};

const unreachable = (error: unknown): never => {
  if (!(error instanceof EgressError)) throw error;
  throw failed('saml_metadata_unreachable', UNREACHABLE, error);
};

/** What a provider says of itself. */
export interface DescribedProvider {
  readonly entityId: string;
  readonly ssoUrl: string;
  readonly certificates: readonly X509Certificate[];
  /** In PEM, those that a new provider would trust. */
  readonly trustable: string;
}

@Injectable()
export class SamlMetadataService {
  constructor(
    private readonly egress: Egress,
    private readonly endpointCheck: EndpointCheck,
  ) {}

  /**
   * POST /sso/providers/metadata: reads a provider's metadata from its address or from a text. It saves nothing.
   */
  async read(caller: UserCaller, { url, xml, withPem }: ReadSamlMetadataDto): Promise<SamlMetadataResponse> {
    requireWholeOrganization(caller);
    if ((url === undefined) === (xml === undefined)) throw invalid('url', 'or xml must be given, and not both');
    if (url && !caller.mfa) await this.requirePublic(url);
    const document = xml ?? (await this.load(url ?? '', caller.partnerId ?? 'system'));
    return { data: await this.usable(readMetadata(document, withPem)) };
  }

  /**
   * Reads the metadata at a provider's address, as its watch does: what the provider signed must verify.
   * @param compartment the share of outbound requests to use: the provider's id
   * @param trusted the certificates (PEM) that the provider trusts
   * @throws ProblemError saml_metadata_invalid, saml_metadata_unreachable
   */
  async describe(url: string, compartment: string, trusted: readonly string[] = []): Promise<DescribedProvider> {
    const { entityId, ssoUrl, certificates } = await this.usable(
      readCurrentMetadata(await this.load(url, compartment), trusted),
    );
    const all = certificates.map(({ pem = '' }) => new X509Certificate(pem));
    const usable = all.filter((one) => keyFault(one) === null && usableUntil(one, null) > Date.now());
    const trustable = usable.sort((a, b) => usableUntil(b, null) - usableUntil(a, null)).slice(0, 2);
    return { entityId, ssoUrl, certificates: all, trustable: trustable.map(String).join('') };
  }

  /** The sign-in address that metadata name is held to the rules for one that a person enters. */
  private async usable(reading: Promise<SamlMetadataRecord>): Promise<SamlMetadataRecord> {
    try {
      const metadata = await reading;
      const fault = await this.endpointCheck.ssoUrlFault(metadata.ssoUrl);
      if (fault) throw new MetadataFault('SingleSignOnService', `its Location ${fault}`);
      return metadata;
    } catch (error) {
      if (!(error instanceof MetadataFault)) throw error;
      throw failed('saml_metadata_invalid', `The metadata cannot be used: ${error.message}.`, error);
    }
  }

  private async requirePublic(url: string): Promise<void> {
    if (await this.egress.isInside(url).catch(unreachable))
      throw new ProblemError('mfa_required', 'Reading metadata inside the network requires a second factor.');
  }

  private async load(url: string, compartment: string): Promise<string> {
    const isInside = await this.egress.isInside(url).catch(unreachable);
    const { status, text } = await this.egress.fetch(url, { compartment }).catch(unreachable);
    if (status === OK) return text;
    const answered = `The address of the metadata answered ${status}.`;
    throw failed('saml_metadata_unreachable', isInside ? UNREACHABLE : answered);
  }
}
