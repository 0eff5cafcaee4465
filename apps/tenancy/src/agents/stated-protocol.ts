import { AGENT_PROTOCOL } from '@gatehouse/contracts-tenancy';

/**
 * The protocol that `X-Agent-Protocol` states, at most the newest that this release speaks; null if it states none.
 */
export function statedProtocol(header: string | undefined): number | null {
  const stated = /^\d{1,2}$/.test(header ?? '') ? Number(header) : 0;
  return stated === 0 ? null : Math.min(stated, AGENT_PROTOCOL);
}
