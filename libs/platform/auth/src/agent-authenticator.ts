import type { AgentCaller, Origin } from '@gatehouse/contracts-core';

/** Implemented by the services with agent routes: finds the device to which a token belongs. */
export interface AgentAuthenticator {
  /**
   * @throws ProblemError token_invalid for an unknown or revoked token
   */
  authenticate(token: string, origin: Origin): Promise<AgentCaller>;
}

export const AGENT_AUTHENTICATOR = Symbol('agent authenticator');
