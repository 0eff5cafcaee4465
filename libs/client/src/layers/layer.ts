import { isProblem, type ProblemCode } from '../problems.ts';

export type Send = (request: Request) => Promise<Response>;

/** One concern of sending requests. A layer that sends a request again sends a clone of it. */
export type Layer = (next: Send) => Send;

/** Puts layers before `send`; the first one is the outermost. */
export const chain = (send: Send, ...layers: readonly Layer[]): Send =>
  layers.reduceRight((next, layer) => layer(next), send);

/** The code of an error answer; null if it has none. The answer can still be read. */
export async function codeOf(response: Response): Promise<ProblemCode | null> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return isProblem(body) ? body.code : null;
}

/** A request with a JSON body. */
export const post = (url: string, body: object): Request =>
  new Request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
