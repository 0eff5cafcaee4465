import type { EnrollAgentDto, EnrolledAgentResponse } from '@gatehouse/contracts-tenancy';

/** A request to enrol. */
export interface Enrolment {
  readonly draft: EnrollAgentDto;
  /** SHA-256 of the token that the agent presents, in hexadecimal; null without one. */
  readonly tokenHash: string | null;
  /** The version of the agent protocol that the agent states. */
  readonly protocol: number;
}

export interface EnrolledDevice {
  /** False if the machine got its device back. */
  readonly isNew: boolean;
  readonly device: Omit<EnrolledAgentResponse, 'config'>;
}
