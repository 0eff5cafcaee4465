import type { DomainRecord } from '@gatehouse/contracts-identity';
import type { DomainEntity } from './domain.entity.ts';
import { recordNameOf, recordValueOf } from './domain-proof.ts';

export const domainRecordOf = ({
  id,
  orgId,
  domain,
  token,
  verifiedAt,
  lastCheckedAt,
}: DomainEntity): DomainRecord => ({
  id,
  orgId,
  domain,
  verified: verifiedAt !== null,
  verifiedAt: verifiedAt?.toISOString() ?? null,
  lastCheckedAt: lastCheckedAt?.toISOString() ?? null,
  recordName: recordNameOf(domain),
  recordValue: recordValueOf(token),
});

/** The resource of audit entries about a domain. */
export const domainResource = ({ id, domain }: DomainEntity) => ({ type: 'sso_domain', id, name: domain });
