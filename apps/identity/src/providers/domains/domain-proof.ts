import { resolverFor } from '@gatehouse/egress';
import { Injectable } from '@nestjs/common';
import type { promises } from 'node:dns';
import { IdentityConfig } from '../../identity.config.ts';

const LABEL = '_gatehouse-verify';
const PREFIX = 'gatehouse-domain-verify=';

export const recordNameOf = (domain: string): string => `${LABEL}.${domain}`;
export const recordValueOf = (token: string): string => `${PREFIX}${token}`;

/** `unknown`: no name server gave an authoritative answer, so nothing is known about the record. */
export type ProofVerdict = 'found' | 'absent' | 'unknown';

/** The error codes for a missing name (NXDOMAIN) and a missing record (NODATA). */
const NO_SUCH_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Checks whether the DNS of a domain contains our token. */
@Injectable()
export class DomainProof {
  private readonly resolver: promises.Resolver;

  constructor(config: IdentityConfig) {
    this.resolver = resolverFor(config.dnsServers);
  }

  /** A resolver failure, a refused query and a timeout all yield `unknown`. */
  async look({ domain, token }: { readonly domain: string; readonly token: string }): Promise<ProofVerdict> {
    try {
      const records = await this.resolver.resolveTxt(recordNameOf(domain));
      return records.some((parts) => parts.join('').trim() === recordValueOf(token)) ? 'found' : 'absent';
    } catch (error) {
      return NO_SUCH_RECORD.has((error as NodeJS.ErrnoException).code ?? '') ? 'absent' : 'unknown';
    }
  }
}
