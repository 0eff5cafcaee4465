import { resolverFor } from '@gatehouse/egress';
import { Injectable } from '@nestjs/common';
import type { promises } from 'node:dns';
import { IdentityConfig } from '../identity.config.ts';

const LABEL = '_gatehouse-verify';
const PREFIX = 'gatehouse-domain-verify=';

export const recordNameOf = (domain: string): string => `${LABEL}.${domain}`;
export const recordValueOf = (token: string): string => `${PREFIX}${token}`;

/** Whether the owner of a domain has put our token into its DNS. */
@Injectable()
export class DomainProof {
  private readonly resolver: promises.Resolver;

  constructor(config: IdentityConfig) {
    this.resolver = resolverFor(config.dnsServers);
  }

  /** False as well when the name cannot be resolved at all. */
  async isThere({ domain, token }: { readonly domain: string; readonly token: string }): Promise<boolean> {
    const records = await this.resolver.resolveTxt(recordNameOf(domain)).catch(() => []);
    return records.some((parts) => parts.join('').trim() === recordValueOf(token));
  }
}
