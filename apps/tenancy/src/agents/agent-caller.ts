import { type AgentCaller, ProblemError } from '@gatehouse/contracts-core';

/** The agent as caller, with what tenancy needs to know about its token and protocol. */
export interface TenancyAgent extends AgentCaller {
  /** SHA-256 of the presented token, in hexadecimal. */
  readonly tokenHash: string;
  readonly agentProtocol: number;
}

/**
 * An agent may use the routes of its own device only.
 * @throws ProblemError device_mismatch
 */
export function requireOwnDevice({ deviceId }: AgentCaller, id: string): void {
  if (id !== deviceId) throw new ProblemError('device_mismatch', 'This token belongs to another device.');
}
