import type { AgentDoor, Answer } from './agent-door.ts';
import type { Prompt } from './prompts.ts';

export interface Enrolment {
  readonly enrollmentKey: string;
  readonly hostname: string;
  readonly osType?: string;
  readonly osVersion?: string;
  readonly serialNumber?: string;
}

export interface Identity {
  readonly deviceId: string;
  readonly agentToken: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly hostname: string;
}

export interface Reported {
  readonly id: string | null;
  readonly status: string;
}

export interface Command {
  readonly id: string;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
}

export interface CommandResult {
  readonly status: 'completed' | 'failed';
  readonly detail?: string;
}

export interface AgentOptions {
  /** What the agent does on a command; null = it says nothing. Default: what the command asks for. */
  obey?(command: Command): CommandResult | null;
  log?(line: string): void;
}

/** The product refused what the agent sent; `answer` holds the problem. */
export class AgentRefused extends Error {
  constructor(
    readonly answer: Answer,
    what: string,
  ) {
    super(
      `${what}: ${answer.status} ${String(answer.body['code'] ?? '')} ${String(answer.body['detail'] ?? '')}`.trim(),
    );
  }
}

const POLL_SECONDS = 25;

/**
 * One device agent: reports prompts and obeys commands, each once, however often it is delivered.
 * @example const agent = await SimulatedAgent.enroll(door, { enrollmentKey, hostname: 'laptop' });
 */
export class SimulatedAgent {
  /** Commands obeyed so far, in order. */
  readonly obeyed: Command[] = [];
  /** Commands that came again although their result was acknowledged. */
  redelivered = 0;
  readonly #results = new Map<string, CommandResult | null>();

  constructor(
    private readonly door: AgentDoor,
    readonly identity: Identity,
    private readonly options: AgentOptions = {},
  ) {}

  /** @throws AgentRefused for a key that is wrong, expired or exhausted */
  static async enroll(door: AgentDoor, enrolment: Enrolment, options: AgentOptions = {}): Promise<SimulatedAgent> {
    const body = { osType: 'windows', osVersion: '11', agentVersion: '1.0.0-sim', ...enrolment };
    const answer = expect201(await door.send({ method: 'POST', path: '/agents/enroll', body }), 'enrolment');
    const { deviceId, agentToken, orgId, siteId } = answer.body;
    const identity = {
      deviceId: String(deviceId),
      agentToken: String(agentToken),
      orgId: String(orgId),
      siteId: String(siteId),
      hostname: enrolment.hostname,
    };
    options.log?.(`${identity.hostname}: enrolled as ${identity.deviceId}`);
    return new SimulatedAgent(door, identity, options);
  }

  /** @throws AgentRefused for every answer but 201 and 200 */
  async report(prompt: Prompt): Promise<Reported> {
    const answer = await this.post('/elevation-requests', prompt);
    if (answer.status !== 200 && answer.status !== 201) throw new AgentRefused(answer, 'report');
    const id = typeof answer.body['id'] === 'string' ? answer.body['id'] : null;
    const reported = { id, status: String(answer.body['status']) };
    this.options.log?.(
      `${this.identity.hostname}: reported ${prompt.target_executable_path} -> ${reported.status} ${id ?? ''}`,
    );
    return reported;
  }

  /** Asks once for commands and obeys them. @returns those that came */
  async poll(waitSeconds = POLL_SECONDS, signal?: AbortSignal): Promise<Command[]> {
    const { deviceId, agentToken: token } = this.identity;
    const path = `/agents/${deviceId}/commands?waitSeconds=${waitSeconds}`;
    const answer = await this.door.send({ method: 'GET', path, token, timeoutMs: (waitSeconds + 10) * 1000, signal });
    if (answer.status !== 200) throw new AgentRefused(answer, 'commands');
    const commands = answer.body['commands'] as Command[];
    for (const command of commands) await this.obey(command);
    return commands;
  }

  /** Obeys commands until the signal. */
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

  private async obey(command: Command): Promise<void> {
    if (this.#results.has(command.id)) this.redelivered += 1;
    else {
      this.#results.set(command.id, (this.options.obey ?? doAsTold)(command));
      this.obeyed.push(command);
    }
    const result = this.#results.get(command.id);
    this.options.log?.(
      `${this.identity.hostname}: ${command.type} ${JSON.stringify(command.payload)} -> ${result?.status ?? 'no word'}`,
    );
    if (!result) return;
    const answer = await this.post(`/commands/${command.id}/result`, result);
    if (answer.status >= 300) throw new AgentRefused(answer, `result of ${command.type}`);
  }

  private post(path: string, body: object): Promise<Answer> {
    const { deviceId, agentToken: token } = this.identity;
    return this.door.send({ method: 'POST', path: `/agents/${deviceId}${path}`, token, body });
  }
}

const KNOWN = ['actuate_elevation', 'revoke_elevation', 'uninstall'];

const doAsTold = ({ type }: Command): CommandResult =>
  KNOWN.includes(type) ? { status: 'completed' } : { status: 'failed', detail: `unknown command ${type}` };

function expect201(answer: Answer, what: string): Answer {
  if (answer.status !== 201) throw new AgentRefused(answer, what);
  return answer;
}
