import { distinctSigners } from '@gatehouse/pam-domain';
import type { SignerGroupValues } from './signer-groups.repository.ts';

/** A signer group as it is stored: trimmed, each signer once (PAM-34). */
export const normalisedGroup = ({ name, description, signers }: SignerGroupValues): SignerGroupValues => ({
  name: name.trim(),
  description,
  signers: distinctSigners(signers),
});
