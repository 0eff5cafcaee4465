import {
  Agent,
  type AgentCommand,
  type AgentConnection,
  type AgentIdentity,
  type CommandResult,
  type ReportAnswer,
} from '@gatehouse/agent';
import type { Prompt } from './prompts.ts';

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
