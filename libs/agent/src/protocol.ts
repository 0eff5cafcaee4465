/** The version that this client states in `X-Agent-Protocol`. */
export const PROTOCOL_VERSION = 2;

export interface Enrolment {
  readonly enrollmentKey: string;
  readonly hostname: string;
  readonly osType: string;
  readonly osVersion?: string | null;
  readonly agentVersion?: string | null;
  /** With the hostname, it identifies a machine that enrols again. */
  readonly serialNumber?: string | null;
}

/** The settings in effect for the device. */
export interface AgentConfiguration {
  readonly pam: { readonly uacInterceptionEnabled: boolean; readonly source: object | null };
}

/** An intercepted consent prompt. */
export interface ConsentPrompt {
  readonly subject_username: string;
  readonly target_executable_path: string;
  readonly target_executable_hash?: string | null;
  readonly target_executable_signer?: string | null;
  readonly target_executable_signer_thumbprint?: string | null;
  readonly target_executable_publisher?: string | null;
  readonly pid?: number;
  readonly parent_image?: string | null;
  readonly command_line?: string | null;
  /** When the prompt appeared, ISO 8601. A repeated report must have the same time. */
  readonly observed_at: string;
  readonly reason?: string | null;
  /** The ticket that it is about. */
  readonly ticket?: string | null;
  readonly ad_groups?: readonly string[] | null;
}

export interface ReportAnswer {
  /** Null if the prompt is ignored. */
  readonly id: string | null;
  /** `expired` and `revoked`: a repeated report whose grant has ended. */
  readonly status: 'pending' | 'auto_approved' | 'denied' | 'ignored' | 'expired' | 'revoked';
  /** Until when an automatic grant lasts. */
  readonly expiresAt: string | null;
}

export interface AgentCommand {
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

export interface CommandResult {
  readonly status: 'completed' | 'failed';
  readonly detail?: string;
}

/** A member that is left out keeps its value; null clears it. */
export interface Inventory {
  readonly agentVersion?: string | null;
  readonly osVersion?: string | null;
  readonly serialNumber?: string | null;
}

/** What became of a report. */
export interface ReportedRequest {
  readonly id: string;
  readonly status: string;
  /** Until when a grant lasts, or lasted. */
  readonly expiresAt: string | null;
  readonly reason: string | null;
}
