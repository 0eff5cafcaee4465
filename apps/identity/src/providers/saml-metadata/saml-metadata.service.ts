import { invalid, ProblemError, requireWholeOrganization, type UserCaller } from '@gatehouse/contracts-core';
import type { ReadSamlMetadataDto, SamlMetadataResponse } from '@gatehouse/contracts-identity';
import { Egress, EgressError } from '@gatehouse/egress';
import { Injectable } from '@nestjs/common';
import { MetadataFault, readMetadata } from './metadata-document.ts';

const OK = 200;

/** All that is told of a place inside the network, so that the answer maps no servers there. */
const UNREACHABLE = 'The address of the metadata cannot be reached or is not allowed.';

const failed = (code: 'saml_metadata_invalid' | 'saml_metadata_unreachable', detail: string, cause?: unknown) => {
  const problem = new ProblemError(code, detail);
  problem.cause = cause;
  return problem;
};

@Injectable()
export class SamlMetadataService {
  constructor(private readonly egress: Egress) {}

  /**
   * POST /sso/providers/metadata: reads a provider's metadata from its address or from a text. It saves nothing.
   */
  async read(caller: UserCaller, { url, xml, withPem }: ReadSamlMetadataDto): Promise<SamlMetadataResponse> {
    requireWholeOrganization(caller);
    if ((url === undefined) === (xml === undefined)) throw invalid('url', 'or xml must be given, and not both');
    const document = xml ?? (await this.load(caller, url ?? ''));
    try {
      return { data: await readMetadata(document, withPem) };
    } catch (error) {
      if (!(error instanceof MetadataFault)) throw error;
      throw failed('saml_metadata_invalid', `The metadata cannot be used: ${error.message}.`, error);
    }
  }

  private async load(caller: UserCaller, url: string): Promise<string> {
    try {
      const isInside = await this.egress.isInside(url);
      if (isInside && !caller.mfa)
        throw new ProblemError('mfa_required', 'Metadata inside the network are read with a second factor only.');
      const { status, text } = await this.egress.fetch(url, { compartment: caller.partnerId ?? 'system' });
      if (status === OK) return text;
      throw failed(
        'saml_metadata_unreachable',
        isInside ? UNREACHABLE : `The address of the metadata answered ${status}.`,
      );
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      throw failed('saml_metadata_unreachable', UNREACHABLE, error);
    }
  }
}
