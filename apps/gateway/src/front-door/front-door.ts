import { API_PREFIX, DEFAULT_BODY_LIMIT_BYTES, invalid, ProblemError } from '@gatehouse/contracts-core';
import { isServerFault, type Logger, problemErrorOf, requestIdsOf, sendProblem } from '@gatehouse/service';
import { type Metrics, Objective, type ObjectiveName } from '@gatehouse/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { Proxy } from '../proxy/proxy.ts';
import { type Route, ROUTES } from '../routes.ts';

const MAX_TARGET = 8_000;
/** The product's addresses consist of ids and lower-case words without escapes, so each address has one spelling. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9_~.:@-]+)*\/?$/;
const DOT_SEGMENT = /\/\.\.?(?:\/|$)/;
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * Accepts only targets that every parser reads alike. Escaped dots and slashes, `//`, `;`, backslashes and the
 * absolute form are rejected before routing.
 * @param target the request target as received
 */
export function requirePlainTarget(target: string): void {
  if (!target.startsWith('/')) throw invalid('', 'the request target must be a path');
  if (target.length > MAX_TARGET) throw invalid('', `the address must not be longer than ${MAX_TARGET} characters`);
  if (!VISIBLE_ASCII.test(target)) throw invalid('', 'the address must be plain ASCII');
  const [path = ''] = target.split('?', 1);
  if (!PLAIN_PATH.test(path) || DOT_SEGMENT.test(path))
    throw new ProblemError('route_not_found', 'There is nothing at this address.');
}

const METHODS: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const MAX_HEADERS = 100;

/**
 * Adds the routing table to the HTTP server, in a Fastify scope of its own: there bodies are bytes, and every error
 * becomes a problem answer.
 */
export async function openFrontDoor(
  server: FastifyInstance,
  proxy: Proxy,
  {
    log,
    metrics,
    maxWaitingAgents,
  }: { readonly log: Logger; readonly metrics: Metrics; readonly maxWaitingAgents: number },
): Promise<void> {
  await server.register(async (door) => {
    door.removeAllContentTypeParsers();
    door.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    door.setErrorHandler((error, request, reply) => answerProblem(error, request, reply, log));
    door.addHook('onRequest', (request, reply, done) => {
      propagateCloseToPipelined(request, reply);
      requirePlainRequest(request);
      done();
    });
    measureObjectives(door, metrics);
    const admitWaiting = waitingAgents(metrics, maxWaitingAgents);
    for (const route of ROUTES) addRoute(door, route, proxy, admitWaiting);
  });
}

/** What people and agents wait for, by its address, and how many milliseconds it may take. */
const OBJECTIVES: readonly [ObjectiveName, RegExp, number][] = [
  ['sign_in', /^\/auth\/(login|mfa\/verify|mfa\/webauthn\/sign-in\/verify)$/, 2_000],
  ['sign_in', /^\/sso\/(callback|saml\/acs|exchange)$/, 2_000],
  ['decision', /^\/pam\/elevation-requests\/[^/]+\/(respond|revoke)$/, 1_000],
  ['decision', /^\/approvals\/[^/]+\/(approve|deny|report-suspicious)$/, 1_000],
  ['report', /^\/agents\/[^/]+\/elevation-requests$/, 1_000],
];

/** Counts how these requests end. The time begins when the whole body is here: a slow client is no fault of ours. */
function measureObjectives(door: FastifyInstance, metrics: Metrics): void {
  const objectives = OBJECTIVES.map(
    ([name, address, maxMs]) => [new Objective(metrics, name), address, maxMs] as const,
  );
  door.addHook('preHandler', ({ url }, { raw }, done) => {
    const path = url.slice(API_PREFIX.length).split('?')[0] ?? '';
    const [objective, , maxMs = 0] = objectives.find(([, address]) => address.test(path)) ?? [];
    const began = performance.now();
    if (objective) raw.once('finish', () => objective.note(raw.statusCode < 500 && performance.now() - began <= maxMs));
    done();
  });
}

type Admit = (request: FastifyRequest, reply: FastifyReply) => void;

/** So many seconds after a refusal an agent tries again, and up to three times as many: not all at once. */
const TRY_AGAIN_SECONDS = 5;

/** Counts the agents that wait here for commands. Each holds memory and two connections, so there is an end. */
function waitingAgents(metrics: Metrics, max: number): Admit {
  const gauge = metrics.gauge('gatehouse_waiting_agents', 'Agents that wait for commands at this process');
  let waiting = 0;
  metrics.atScrape([gauge], async () => [{ of: gauge, value: waiting }]);
  return ({ method }, { raw }) => {
    if (method !== 'GET') return;
    if (waiting >= max)
      throw new ProblemError('unavailable', 'No more agents can connect to this replica; try again.', {
        retryAfterSeconds: Math.ceil(TRY_AGAIN_SECONDS * (1 + 2 * Math.random())),
      });
    waiting++;
    raw.once('close', () => waiting--);
  };
}

function addRoute(door: FastifyInstance, route: Route, proxy: Proxy, admitWaiting: Admit): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (route.waits) admitWaiting(request, reply);
    if (route.credential === 'user' && mayBeLarge(request)) await proxy.admitLargeBody(route, request, reply);
  };
  for (const url of [route.path, `${route.path}/*`]) {
    door.route({
      method: METHODS,
      url,
      bodyLimit: route.bodyLimit,
      exposeHeadRoute: false,
      onRequest,
      handler: (request, reply) => proxy.forward(route, request, reply),
    });
  }
}

/**
 * Destroys a pipelined response when its connection closes. Node emits no close event for a response that waits for
 * others on its connection (RFC 9112 9.3.2), so its work would otherwise go on.
 */
function propagateCloseToPipelined({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): void {
  if (raw.socket !== null) return;
  const end = (): void => {
    raw.destroy();
    raw.emit('close');
  };
  socket.setMaxListeners(0).once('close', end);
  raw.once('close', () => socket.off('close', end));
}

/**
 * Whether a large body is possible: a body without a stated length counts as large if the route accepts large ones.
 */
function mayBeLarge({ headers, routeOptions }: FastifyRequest): boolean {
  if ((routeOptions.bodyLimit ?? 0) <= DEFAULT_BODY_LIMIT_BYTES) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > DEFAULT_BODY_LIMIT_BYTES;
}

function requirePlainRequest({ raw }: FastifyRequest): void {
  requirePlainTarget(raw.url ?? '');
  if (raw.rawHeaders.length > 2 * MAX_HEADERS)
    throw new ProblemError('header_fields_too_large', `A request must not have more than ${MAX_HEADERS} headers.`);
}

/** Answers with the problem that an error stands for; the log gets the reason when it is a fault of ours. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  if (request.raw.destroyed && !reply.raw.writable) return;
  const problem = problemErrorOf(error);
  if (isServerFault(problem))
    log.warn(
      { err: problem.cause ?? error, ...requestIdsOf(request), route: request.routeOptions.url },
      'a request was not answered',
    );
  if (problem.code === 'payload_too_large') readOn(request, reply);
  sendProblem(reply, problem);
}

/**
 * Reads and drops the rest of the body, at most until the request times out. If the gateway closed the connection while
 * the client still sends, TCP would reset it, and the client would never read the answer.
 */
function readOn({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  raw.resume();
}
