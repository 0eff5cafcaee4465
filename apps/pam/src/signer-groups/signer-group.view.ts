import type { SignerGroupRecord } from '@gatehouse/contracts-pam';
import type { SignerGroupRow } from './signer-groups.repository.ts';

export const signerGroupView = ({ partnerId: _, ...row }: SignerGroupRow): SignerGroupRecord => ({
  ...row,
  ownerScope: row.orgId === null ? 'partner' : 'organization',
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
