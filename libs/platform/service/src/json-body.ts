import { invalid, Refusal } from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';

const MAX_DEPTH = 20;

/** Refuses what storage or a recursive reader would choke on (decisions, "JSON"): depth over 20, NUL, lone surrogates. Walks without recursion. */
export function checkJson(root: unknown): void {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === 'string') checkText(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw invalid('', `the JSON is nested deeper than ${MAX_DEPTH} levels`);
    for (const [key, member] of Object.entries(value)) {
      checkText(key);
      open.push({ value: member, depth: depth + 1 });
    }
  }
}

function checkText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalid('', 'texts must be well-formed Unicode without NUL');
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const UTF8_JSON = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i;

/** Cheap look at the raw text, so that a body of a million brackets is refused before it is parsed. */
const looksTooDeep = (text: string): boolean => {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '[' || sign === '{') depth++;
    else if (sign === ']' || sign === '}') depth--;
    if (depth > 1_000) return true;
  }
  return false;
};

export function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  if (looksTooDeep(text)) throw invalid('', `the JSON is nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    value = secureJson.parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw invalid('', 'the body is not valid JSON');
  }
  checkJson(value);
  return value;
}

/** One JSON parser for every service; an empty body is no body, so that DELETE with a content type works. */
export function useStrictJson(server: FastifyInstance): void {
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser(/^application\/(.*\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (!UTF8_JSON.test(request.headers['content-type'] ?? '')) throw new Refusal('unsupported_media_type', 'This route takes application/json in UTF-8.');
      done(null, parseJson(UTF8.decode(body as Buffer)));
    } catch (error) {
      done(error instanceof Refusal ? error : invalid('', 'the body is not valid UTF-8'));
    }
  });
}
