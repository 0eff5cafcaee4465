import { realpath } from 'node:fs/promises';
import type { AgentAnswer, AgentConnection, AgentRequest } from './connection.ts';
import { offlineVerdict } from './offline/decide-offline.ts';
import {
  isOutdated,
  type KeptRules,
  keptRules,
  type KeySet,
  type OfflineVerdict,
  verifiedClaims,
} from './offline/document.ts';
import type {
  AgentCommand,
  AgentConfiguration,
  CommandResult,
  ConsentPrompt,
  Enrolment,
  Inventory,
  ReportAnswer,
  ReportedRequest,
} from './protocol.ts';

/** The product refused a request; retrying the same request does not help. */
export class AgentRefused extends Error {
  /** The code of the problem, such as `token_invalid`. */
  readonly code: string;

  constructor(
    readonly answer: AgentAnswer,
    request: string,
  ) {
    const { code, detail } = answer.body;
    super(`${request}: ${answer.status} ${String(code ?? '')} ${String(detail ?? '')}`.trim());
    this.code = String(code ?? '');
  }
}

/**
 * The final path of a file: long names, no links, no prefix (on Windows `GetFinalPathNameByHandle`). The path as it is
 * when the file cannot be opened; the product then takes it for suspicious unless it is plain.
 */
async function finalPath(path: string): Promise<string> {
  // A name alone would be looked for in the folder of the agent.
  if (!/[\\/]/.test(path)) return path;
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

/** A prompt with the final paths of its program and of the parent, as the product asks for them. */
export async function withFinalPaths(prompt: ConsentPrompt): Promise<ConsentPrompt> {
  const { target_executable_path: path, parent_image: parent } = prompt;
  return {
    ...prompt,
    target_executable_path: await finalPath(path),
    ...(typeof parent === 'string' && { parent_image: await finalPath(parent) }),
  };
}

/** What an agent stores, where only the agent can read: any holder of the token can act as the agent. */
export interface AgentIdentity {
  readonly deviceId: string;
  readonly agentToken: string;
  readonly orgId: string;
  readonly siteId: string;
  readonly hostname: string;
  /** The device that this machine becomes once an administrator confirms its return. */
  readonly returnsAs?: string;
}

/** The refusals of a result that an agent ignores. */
const ENDED = ['conflict', 'command_not_found'];
const MAX_WAIT_SECONDS = 25;
/** How much longer than its wait a long poll may take. */
const POLL_MARGIN_SECONDS = 10;

/**
 * One agent of the protocol in `docs/agent-protocol.md`.
 * @example const agent = await Agent.enroll(connection, { enrollmentKey, hostname: 'laptop', osType: 'windows' });
 */
export class Agent {
  #identity: AgentIdentity;
  #offlineRules: KeptRules | null = null;
  readonly #results = new Map<string, CommandResult | null>();

  constructor(
    private readonly connection: AgentConnection,
    identity: AgentIdentity,
    /** How the product took the enrolment: `again` if the machine got its device back. */
    readonly enrolled: 'new' | 'again' | 'earlier' = 'earlier',
    /** A device of the same machine, if the machine did not get it back. */
    readonly possibleDuplicateOf: string | null = null,
  ) {
    this.#identity = identity;
  }

  /**
   * @param token the old token of a machine that was enrolled before
   * @throws AgentRefused
   */
  static async enroll(connection: AgentConnection, enrolment: Enrolment, token?: string): Promise<Agent> {
    const answer = await connection.send({ method: 'POST', path: '/agents/enroll', body: enrolment, token });
    const { deviceId, agentToken, orgId, siteId, possibleDuplicateOf, returnsAs } = accepted(answer, 'enrolment');
    const identity = {
      deviceId: String(deviceId),
      agentToken: String(agentToken),
      orgId: String(orgId),
      siteId: String(siteId),
      hostname: enrolment.hostname,
      ...(typeof returnsAs === 'string' && { returnsAs }),
    };
    const duplicate = typeof possibleDuplicateOf === 'string' ? possibleDuplicateOf : null;
    return new Agent(connection, identity, answer.status === 200 ? 'again' : 'new', duplicate);
  }

  /** Store it after each change: the token changes by rotation, the device by a confirmed return. */
  get identity(): AgentIdentity {
    return this.#identity;
  }

  async configuration(): Promise<AgentConfiguration> {
    const { pam } = await this.send('GET', '/config', 'configuration');
    return { pam: pam as AgentConfiguration['pam'] };
  }

  /**
   * Reports a prompt with the final paths of its files. The same prompt may be reported again: it is recognised by its
   * `observed_at`.
   */
  async report(prompt: ConsentPrompt): Promise<ReportAnswer> {
    const answer = await this.send('POST', '/elevation-requests', 'report', await withFinalPaths(prompt));
    const { id, status, expiresAt } = answer;
    return {
      id: typeof id === 'string' ? id : null,
      status: String(status) as ReportAnswer['status'],
      expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
    };
  }

  /** Gives the reason of a pending request that this agent reported. Nothing is decided anew; people see it. */
  async justify(requestId: string, justification: { reason: string; ticket?: string | null }): Promise<void> {
    await this.send('POST', `/elevation-requests/${requestId}/justification`, 'justification', justification);
  }

  /** Reads what became of a request that this agent reported. */
  async outcomeOf(requestId: string): Promise<ReportedRequest> {
    const { id, status, expiresAt, reason } = await this.send('GET', `/elevation-requests/${requestId}`, 'outcome');
    return {
      id: String(id),
      status: String(status),
      expiresAt: typeof expiresAt === 'string' ? expiresAt : null,
      reason: typeof reason === 'string' ? reason : null,
    };
  }

  async commands(waitSeconds = MAX_WAIT_SECONDS, signal?: AbortSignal): Promise<AgentCommand[]> {
    const timeoutMs = (waitSeconds + POLL_MARGIN_SECONDS) * 1000;
    const answer = await this.ask({ method: 'GET', path: `/commands?waitSeconds=${waitSeconds}`, timeoutMs, signal });
    return accepted(answer, 'commands')['commands'] as AgentCommand[];
  }

  async sendResult(commandId: string, result: CommandResult): Promise<void> {
    await this.send('POST', `/commands/${commandId}/result`, 'result', result);
  }

  /**
   * Fetches commands once, carries out each that is new, and sends the results. A command that comes again is not
   * carried out again; its result is.
   * @param carryOut returns null for a command without a result, which then comes again
   * @returns the commands that came
   */
  async obey(
    carryOut: (command: AgentCommand) => CommandResult | null,
    { waitSeconds, signal }: { readonly waitSeconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<AgentCommand[]> {
    const commands = await this.commands(waitSeconds, signal);
    for (const command of commands) {
      const result = this.#results.has(command.id) ? this.#results.get(command.id) : carryOut(command);
      this.#results.set(command.id, result ?? null);
      if (result) await this.tell(command.id, result);
    }
    return commands;
  }

  /** A command that was ended before its result came needs none: the other commands go on. */
  private async tell(commandId: string, result: CommandResult): Promise<void> {
    await this.sendResult(commandId, result).catch((error: unknown) => {
      if (!(error instanceof AgentRefused && ENDED.includes(error.code))) throw error;
    });
  }

  /** Replaces the token; `identity` then has the new one. */
  async rotateToken(): Promise<void> {
    const { agentToken } = await this.send('POST', '/token/rotate', 'token rotation');
    this.#identity = { ...this.#identity, agentToken: String(agentToken) };
  }

  async reportInventory(inventory: Inventory): Promise<Inventory> {
    return this.send('PUT', '/inventory', 'inventory', inventory);
  }

  /** The rules for the time without a connection: an agent stores them, and sets them after a restart. */
  get offlineRules(): KeptRules | null {
    return this.#offlineRules;
  }

  set offlineRules(kept: KeptRules | null) {
    this.#offlineRules = kept?.claims.aud === this.#identity.deviceId ? kept : null;
  }

  /**
   * Fetches and verifies the offline rules. After a failure the earlier ones stay in effect until they expire.
   * @throws AgentRefused, or Error for a document that is not to be trusted
   */
  async fetchOfflineRules(now = Date.now()): Promise<KeptRules> {
    const { jws, validForSeconds } = await this.send('GET', '/rules', 'offline rules');
    const keys = accepted(await this.connection.send({ method: 'GET', path: '/.well-known/jwks.json' }), 'keys');
    const claims = verifiedClaims(String(jws), { keys: keys['keys'] as KeySet['keys'] }, this.#identity.deviceId);
    if (isOutdated(claims, this.#offlineRules, now)) throw new Error('the offline rules are older than those kept');
    this.#offlineRules = keptRules(claims, Number(validForSeconds), now);
    return this.#offlineRules;
  }

  /** What to do with a prompt while the product cannot be reached. It is reported later all the same. */
  decideOffline(prompt: ConsentPrompt, now = Date.now()): OfflineVerdict {
    return offlineVerdict(this.#offlineRules, prompt, now);
  }

  private async send(
    method: AgentRequest['method'],
    path: string,
    name: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    return accepted(await this.ask({ method, path, body }), name);
  }

  /** After a confirmed return the token belongs to the device of `returnsAs`, which the agent is from then on. */
  private async ask(request: AgentRequest): Promise<AgentAnswer> {
    const answer = await this.askAs(request);
    const { returnsAs, ...identity } = this.#identity;
    if (returnsAs === undefined || answer.body['code'] !== 'device_mismatch') return answer;
    this.#identity = { ...identity, deviceId: returnsAs };
    return this.askAs(request);
  }

  private askAs(request: AgentRequest): Promise<AgentAnswer> {
    const { deviceId, agentToken: token } = this.#identity;
    return this.connection.send({ ...request, path: `/agents/${deviceId}${request.path}`, token });
  }
}

/** @throws AgentRefused unless the product accepted the request */
function accepted(answer: AgentAnswer, request: string): Readonly<Record<string, unknown>> {
  if (answer.status >= 300) throw new AgentRefused(answer, request);
  return answer.body;
}
