import type { SignerGroupDto } from '@gatehouse/contracts-pam';
import type { SignerGroupRow } from './signer-groups.repository.ts';

export const signerGroupView = ({ partnerId: _, ...row }: SignerGroupRow): SignerGroupDto => ({
  ...row,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
