import { resolverFor } from '@gatehouse/egress';
import { Injectable } from '@nestjs/common';
import type { promises } from 'node:dns';
import { IdentityConfig } from '../identity.config.ts';

const LABEL = '_gatehouse-verify';
const PREFIX = 'gatehouse-domain-verify=';

export const recordNameOf = (domain: string): string => `${LABEL}.${domain}`;
export const recordValueOf = (token: string): string => `${PREFIX}${token}`;

/** `unknown`: no name server gave an authoritative answer, which says nothing about the domain. */
export type ProofVerdict = 'found' | 'absent' | 'unknown';

/** The answers that say that there is no such name (NXDOMAIN), or no such record (NODATA). */
const NO_SUCH_RECORD = new Set(['ENOTFOUND', 'ENODATA']);

/** Whether the owner of a domain has put our token into its DNS. */
@Injectable()
export class DomainProof {
  private readonly resolver: promises.Resolver;

  constructor(config: IdentityConfig) {
    this.resolver = resolverFor(config.dnsServers);
  }

  /** A failure of our resolver, a refusal and a timeout are no verdict about the domain. */
  async look({ domain, token }: { readonly domain: string; readonly token: string }): Promise<ProofVerdict> {
    try {
      const records = await this.resolver.resolveTxt(recordNameOf(domain));
      return records.some((parts) => parts.join('').trim() === recordValueOf(token)) ? 'found' : 'absent';
    } catch (error) {
      return NO_SUCH_RECORD.has((error as NodeJS.ErrnoException).code ?? '') ? 'absent' : 'unknown';
    }
  }
}
