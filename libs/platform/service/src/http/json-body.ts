import type { GuardedRequest } from '@gatehouse/auth';
import { invalid, ProblemError } from '@gatehouse/contracts-core';
import type { FastifyInstance } from 'fastify';
import secureJson from 'secure-json-parse';

const MAX_DEPTH = 20;
/** Enough for an import of 1000 rows with 200 values each. */
const MAX_VALUES = 250_000;
/** The conversion into DTO instances takes quadratic time in the number of members of an object. */
const MAX_MEMBERS = 1_000;

/**
 * Rejects values that storage or a consumer cannot handle (decisions, "JSON"): NUL, lone surrogates, objects with too
 * many members. The recursion is safe because {@link requireModest} has limited the depth before.
 */
function checkValue(value: unknown, checkText: (text: string) => void): void {
  if (typeof value === 'string') checkText(value);
  else if (Array.isArray(value)) for (const item of value as unknown[]) checkValue(item, checkText);
  else if (typeof value === 'object' && value !== null) checkMembers(value, checkText);
}

function checkMembers(value: object, checkText: (text: string) => void): void {
  const names = Object.keys(value);
  if (names.length > MAX_MEMBERS) throw invalid('', `an object must not have more than ${MAX_MEMBERS} members`);
  for (const name of names) {
    checkText(name);
    checkValue(Reflect.get(value, name), checkText);
  }
}

function requireStorable(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalid('', 'texts must be well-formed Unicode without NUL');
}

/** The characters that begin a list, an object or the next value, or end one, each with its change of depth. */
const NESTING: ReadonlyMap<string, number> = new Map([
  ['[', 1],
  ['{', 1],
  [',', 0],
  [']', -1],
  ['}', -1],
]);

/** The place of the quotation mark that ends the text which the one at `start` begins. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text[escapes - 1] === '\\') escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Scans the raw text, so that a body with too many values or levels is rejected before it is parsed: in memory it would
 * take many times its length.
 */
function requireModest(text: string): void {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') at = endOfText(text, at);
    const deeper = NESTING.get(sign);
    depth += deeper ?? 0;
    if (deeper !== undefined && deeper >= 0) values++;
    if (depth > MAX_DEPTH) throw invalid('', `the JSON is nested deeper than ${MAX_DEPTH} levels`);
    if (values > MAX_VALUES) throw invalid('', `the JSON holds more than ${MAX_VALUES} values`);
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const UTF8_JSON = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;\s*charset="?utf-?8"?\s*)?$/i;

/** A route that checks each text itself sets this in its `config`, because it reports a bad one with its row. */
export const CHECKS_TEXTS_ITSELF = 'checksTextsItself';

export function parseJson(text: string, checkText = requireStorable): unknown {
  if (text.trim() === '') return undefined;
  requireModest(text);
  let value: unknown;
  try {
    value = secureJson.parse(text, null, { protoAction: 'error', constructorAction: 'error' });
  } catch {
    throw invalid('', 'the body is not valid JSON');
  }
  checkValue(value, checkText);
  return value;
}

/**
 * Installs the JSON parser of every service. An empty body counts as no body, so that DELETE with a content type works.
 * What is wrong with a body is told by the guard, after the refusals of callers who may not call.
 */
export function useStrictJson(server: FastifyInstance): void {
  // What a PUT replaces would be cleared; unlike no body, null is rejected when the body is validated.
  server.addHook('preValidation', (request, _, done) => {
    if (request.method === 'PUT') request.body ??= null;
    done();
  });
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser(/^application\/(.*\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if (!UTF8_JSON.test(request.headers['content-type'] ?? ''))
        throw new ProblemError('unsupported_media_type', 'This route accepts application/json in UTF-8.');
      const isExempt = Reflect.get(request.routeOptions.config, CHECKS_TEXTS_ITSELF) === true;
      done(null, parseJson(UTF8.decode(body as Buffer), isExempt ? () => undefined : requireStorable));
    } catch (error) {
      refuse(request, error instanceof ProblemError ? error : invalid('', 'the body is not valid UTF-8'));
      done(null);
    }
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request, _, done) => {
    refuse(request, new ProblemError('unsupported_media_type', 'This route takes application/json.'));
    done(null);
  });
}

function refuse(request: GuardedRequest, fault: ProblemError): void {
  request.fault = fault;
}
