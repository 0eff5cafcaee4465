import { randomToken, sha256Hex } from '@gatehouse/crypto';

/** Generates a token, which is shown once and stored as a hash. */
export function newAgentToken(): { agentToken: string; agentTokenHash: string } {
  const agentToken = `gha_${randomToken()}`;
  return { agentToken, agentTokenHash: sha256Hex(agentToken) };
}
