import type { AgentAnswer } from './connection.ts';

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
