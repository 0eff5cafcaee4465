import { noteServerTime } from '../browser.ts';
import { currentToken } from '../session.ts';

/** An answer that the application has not taken by then is too old for it. */
const FRESH_MS = 10_000;

/** Answers that were asked for before the application was there to read them, by address. */
const ahead = new Map<string, Promise<Response>>();

async function fetchNoting(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  noteServerTime(response.headers.get('date'));
  return response;
}

/** Asks for what the first screen will read: the first equal request takes the answer. */
export function askAhead(path: string): void {
  const url = `${location.origin}/api/v1${path}`;
  const answer = fetchNoting(url, { headers: { authorization: `Bearer ${currentToken()}` } });
  // The request that takes the answer handles its failure.
  answer.catch(() => undefined);
  ahead.set(url, answer);
  setTimeout(() => ahead.delete(url), FRESH_MS);
}

export function send(request: Request): Promise<Response> {
  const answer = request.method === 'GET' ? ahead.get(request.url) : undefined;
  ahead.delete(request.url);
  return answer ?? fetchNoting(request);
}
