import type { components, paths } from './contract.ts';

/** An error answer of the API (RFC 9457). Programs decide by `code`. */
export type Problem = components['schemas']['Problem'];
export type ProblemCode = Problem['code'];

type ProblemIn<R> = R extends { content: { 'application/problem+json': infer P } } ? P : never;
type ProblemsIn<Operation> = Operation extends { responses: infer R } ? ProblemIn<R[keyof R]> : never;

/** The problems with which one operation answers: `ProblemsOf<'/users/{id}', 'get'>`. */
export type ProblemsOf<P extends keyof paths, M extends keyof paths[P]> = ProblemsIn<paths[P][M]>;

/** The codes of those problems. */
export type CodesOf<P extends keyof paths, M extends keyof paths[P]> =
  ProblemsOf<P, M> extends infer One ? (One extends { code: infer C } ? C : never) : never;

const OK = 200;

/** Thrown by {@link ok} for an error answer. */
export class GatehouseError extends Error {
  override readonly name = 'GatehouseError';
  readonly code: ProblemCode | 'unreadable_answer';

  /** @param problem null if the answer is not one of the API, but of something before it */
  constructor(
    readonly status: number,
    readonly problem: Problem | null,
  ) {
    super(problem?.detail ?? `The server answered with status ${status} and no problem document.`);
    this.code = problem?.code ?? 'unreadable_answer';
  }
}

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && 'requestId' in value;

/** What a call of the client resolves with: data or an error. */
interface Answer {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type DataOf<A extends Answer> = A extends { data: infer D } ? D : never;

/**
 * The data of a call: `const { requests } = await ok(gatehouse.GET('/pam/elevation-requests'))`.
 * @throws GatehouseError for an error answer
 */
export async function ok<A extends Answer>(call: Promise<A>): Promise<DataOf<A>> {
  const { data, error, response } = await call.catch((fault: unknown) => {
    throw fault instanceof SyntaxError ? new GatehouseError(OK, null) : fault;
  });
  if (response.ok) return data as DataOf<A>;
  throw new GatehouseError(response.status, isProblem(error) ? error : null);
}
