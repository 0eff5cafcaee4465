import { setTimeout as sleep } from 'node:timers/promises';
import { PROTOCOL_VERSION } from './protocol.ts';

export interface AgentAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface AgentRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Under `/api/v1`. */
  readonly path: string;
  readonly token?: string;
  readonly body?: object;
  /** How long the server may take over one attempt; longer for a long poll. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ConnectionOptions {
  /** The gateway, without a slash at its end. */
  readonly baseUrl: string;
  /** Gives up this long after the first attempt. Default 60 s. */
  readonly patienceMs?: number;
  readonly signal?: AbortSignal;
  onRetry?(reason: string, delayMs: number): void;
}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;

/** Exponential with full jitter, but never earlier than the server asked for. */
export function backOffMs(attempt: number, retryAfterSeconds: number, random = Math.random): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  return Math.max(retryAfterSeconds * 1000, Math.round(ceiling * (0.5 + random() / 2)));
}

/**
 * The connection to the product. Overload (429, 502, 503, 504) and broken connections are tried again with back-off;
 * a report may then arrive twice, which the product recognises by its `observed_at`.
 */
export class AgentConnection {
  constructor(private readonly options: ConnectionOptions) {}

  /** @throws Error with the reason of the last failure, if no answer came in time */
  async send(request: AgentRequest): Promise<AgentAnswer> {
    const { patienceMs = 60_000, onRetry } = this.options;
    const signal = AbortSignal.any([this.options.signal, request.signal].filter((one) => one !== undefined));
    const givesUpAt = Date.now() + patienceMs;
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.attempt(request, signal);
      const delay = backOffMs(attempt, outcome.retryAfterSeconds);
      if (outcome.answer && !outcome.isOverload) return outcome.answer;
      if (Date.now() + delay > givesUpAt || signal.aborted) {
        if (outcome.answer) return outcome.answer;
        throw new Error(`${request.method} ${request.path}: ${outcome.reason}`);
      }
      onRetry?.(outcome.reason, delay);
      await sleep(delay, undefined, { signal });
    }
  }

  private async attempt(
    { method, path, token, body, timeoutMs = 15_000 }: AgentRequest,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const response = await fetch(`${this.options.baseUrl}/api/v1${path}`, {
        method,
        headers: {
          'x-agent-protocol': String(PROTOCOL_VERSION),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return {
        answer: { status: response.status, body: parseObject(await response.text()) },
        isOverload: [429, 502, 503, 504].includes(response.status),
        retryAfterSeconds: Number(response.headers.get('retry-after') ?? 0) || 0,
        reason: `answered ${response.status}`,
      };
    } catch (error) {
      return { isOverload: true, retryAfterSeconds: 0, reason: reasonOf(error) };
    }
  }
}

interface Outcome {
  readonly answer?: AgentAnswer;
  readonly isOverload: boolean;
  readonly retryAfterSeconds: number;
  readonly reason: string;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
