import type { AgentCaller, Origin } from '@gatehouse/contracts-core';

/** Provided by the services that have agents' routes: finds the device whose token this is. */
export interface AgentAuthenticator {
  /**
   * @throws ProblemError token_invalid for an unknown or revoked token
   */
  authenticate(token: string, origin: Origin): Promise<AgentCaller>;
}

export const AGENT_AUTHENTICATOR = Symbol('agent authenticator');
