import {
  Agent,
  type AgentCommand,
  type AgentConnection,
  type AgentIdentity,
  type CommandResult,
  type ReportAnswer,
} from '@gatehouse/agent';
import { createHash } from 'node:crypto';

/** An intercepted consent prompt, as an agent reports it (PAM-16). */
export interface Prompt {
  subject_username: string;
  target_executable_path: string;
  target_executable_hash: string;
  target_executable_signer: string;
  pid: number;
  parent_image: string;
  command_line: string;
  observed_at: string;
  reason?: string;
  ad_groups?: string[];
}

const PROGRAMS = [
  { path: 'C:\\Program Files\\7-Zip\\7zFM.exe', signer: 'Igor Pavlov' },
  { path: 'C:\\Users\\Public\\Downloads\\printer-setup.exe', signer: 'Contoso Devices Ltd' },
  { path: 'C:\\Windows\\System32\\mmc.exe', signer: 'Microsoft Windows' },
  { path: 'C:\\Tools\\unsigned-tool.exe', signer: '' },
] as const;
const PEOPLE = ['ACME\\ada', 'ACME\\grace', 'ACME\\edsger'];

/** The n-th of an endless, varied series of prompts. */
export function promptNumber(n: number, changes: Partial<Prompt> = {}): Prompt {
  const { path, signer } = PROGRAMS[n % PROGRAMS.length] ?? PROGRAMS[0];
  return {
    subject_username: PEOPLE[n % PEOPLE.length] ?? '',
    target_executable_path: path,
    target_executable_hash: createHash('sha256').update(path).digest('hex'),
    target_executable_signer: signer,
    pid: 1000 + (n % 60_000),
    parent_image: 'C:\\Windows\\explorer.exe',
    command_line: `"${path}" /run ${n}`,
    observed_at: new Date().toISOString(),
    ...changes,
  };
}

export interface SimulatedEnrolment {
  readonly enrollmentKey: string;
  readonly hostname: string;
  readonly osType?: string;
  readonly osVersion?: string;
  readonly serialNumber?: string;
}

export interface AgentOptions {
  /** The result of a command; null sends none. By default, known commands complete. */
  obey?(command: AgentCommand): CommandResult | null;
  log?(line: string): void;
}

const POLL_SECONDS = 25;
const KNOWN = ['actuate_elevation', 'revoke_elevation', 'elevation_outcome', 'uninstall'];

const complete = ({ type }: AgentCommand): CommandResult =>
  KNOWN.includes(type) ? { status: 'completed' } : { status: 'failed', detail: `unknown command ${type}` };

/**
 * One device agent on `@gatehouse/agent`, which remembers the commands that it carried out.
 * @example const agent = await SimulatedAgent.enroll(connection, { enrollmentKey, hostname: 'laptop' });
 */
export class SimulatedAgent {
  /** Commands carried out so far, in order. */
  readonly obeyed: AgentCommand[] = [];
  /** Commands that came again although they had been carried out. */
  redelivered = 0;

  constructor(
    readonly agent: Agent,
    private readonly options: AgentOptions = {},
  ) {}

  /** @throws AgentRefused for a key that is wrong, expired or exhausted */
  static async enroll(
    connection: AgentConnection,
    enrolment: SimulatedEnrolment,
    options: AgentOptions = {},
  ): Promise<SimulatedAgent> {
    const machine = { osType: 'windows', osVersion: '11', agentVersion: '1.0.0-sim', ...enrolment };
    const agent = await Agent.enroll(connection, machine);
    options.log?.(`${enrolment.hostname}: enrolled as ${agent.identity.deviceId}`);
    return new SimulatedAgent(agent, options);
  }

  get identity(): AgentIdentity {
    return this.agent.identity;
  }

  /** @throws AgentRefused */
  async report(prompt: Prompt): Promise<ReportAnswer> {
    const reported = await this.agent.report(prompt);
    const { id, status } = reported;
    this.options.log?.(`${this.identity.hostname}: reported ${prompt.target_executable_path} -> ${status} ${id ?? ''}`);
    return reported;
  }

  /** Fetches commands once and carries them out. @returns those that came */
  async poll(waitSeconds = POLL_SECONDS, signal?: AbortSignal): Promise<AgentCommand[]> {
    const known = this.obeyed.length;
    const commands = await this.agent.obey((command) => this.carryOut(command), { waitSeconds, signal });
    this.redelivered += commands.length - (this.obeyed.length - known);
    return commands;
  }

  /** Carries out commands until the signal. */
  async serve(signal: AbortSignal, waitSeconds = POLL_SECONDS): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.poll(waitSeconds, signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
    }
  }

  private carryOut(command: AgentCommand): CommandResult | null {
    const result = (this.options.obey ?? complete)(command);
    const payload = JSON.stringify(command.payload);
    this.options.log?.(`${this.identity.hostname}: ${command.type} ${payload} -> ${result?.status ?? 'no result'}`);
    this.obeyed.push(command);
    return result;
  }
}
