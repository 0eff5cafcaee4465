import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ACCESS_TOKEN_SECONDS, has, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import { ApiProblems } from '@gatehouse/service';
import { type BeforeApplicationShutdown, Controller, Get, Headers, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiProduces, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LIVE_EVENTS, LiveEventsQuery } from './live-events.dto.ts';
import { LiveFeed } from './live-feed.ts';
import { DEFAULT_TOPICS, type LiveTopic, TOPICS } from './live-topics.ts';

const STREAM_SCHEMA = {
  type: 'string',
  description: 'Server-sent events; the data of each is one of the schemas `Live…Event`, by its `subject`.',
  contentSchema: { oneOf: LIVE_EVENTS.map((type) => ({ $ref: getSchemaPath(type) })) },
};
const HEARTBEAT_MS = 15_000;
/** The stream of a client with more unread bytes than this is closed; the client may reconnect. */
const MAX_BACKLOG = 256 * 1024;
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

@ApiTags('live events')
@Controller('events')
export class LiveEventsController implements BeforeApplicationShutdown {
  private readonly open = new Set<() => void>();

  constructor(private readonly feed: LiveFeed) {}

  /**
   * Streams events in the caller's reach as server-sent events (WHATWG HTML 9.2). Each `data:` line is the JSON of one
   * event, and `event:` is its `subject`. With `Last-Event-ID` the stream starts with what the client missed within the
   * last five minutes, as far as the caller can still see it. If that is no longer known, it starts with one event
   * `resync`, without data: the client must read the state again. An event can arrive twice; its `id` identifies it.
   * The stream ends when the session or API key does, and after 15 minutes at the latest.
   */
  @Get('stream')
  @Requires(null)
  @ApiHeader({ name: 'Last-Event-ID', required: false, description: 'The `id` of the last event that the client got.' })
  @ApiProduces('text/event-stream')
  @ApiExtraModels(...LIVE_EVENTS)
  @ApiOkResponse({ description: 'A stream of events', schema: STREAM_SCHEMA })
  @ApiProblems('permission_denied', 'org_access_denied')
  stream(
    @CurrentCaller() caller: UserCaller,
    @Query() { topics = [...DEFAULT_TOPICS], orgId }: LiveEventsQuery,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() reply: FastifyReply,
  ): void {
    requireAllowed(caller, topics, orgId);
    const { raw } = reply.hijack();
    raw.writeHead(200, HEADERS);
    // Node sends the headers of an answer to HEAD only when it ends.
    if (raw.req.method === 'HEAD') {
      raw.end();
      return;
    }
    raw.write(': connected\n\n');
    const send = (frame: string): void => {
      raw.write(frame);
      if (raw.writableLength > MAX_BACKLOG) raw.destroy();
    };
    const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
    // A client that reads nothing stays connected after the end, and a later write would be an error.
    const close = (): void => {
      clearInterval(heartbeat);
      clearTimeout(end);
      leave();
      this.open.delete(close);
      raw.end();
    };
    const end = setTimeout(close, Math.min(ACCESS_TOKEN_SECONDS * 1000, remainingMs(caller)));
    const leave = this.feed.join({ caller, topics, orgId, send, close }, lastEventId || undefined);
    this.open.add(close);
    raw.once('close', close);
  }

  beforeApplicationShutdown(): void {
    for (const close of this.open) close();
  }
}

const remainingMs = ({ expiresAt }: UserCaller): number =>
  expiresAt === null ? Infinity : Math.max(0, Date.parse(expiresAt) - Date.now());

function requireAllowed(caller: UserCaller, topics: readonly LiveTopic[], orgId: string | undefined): void {
  for (const topic of topics) {
    const { permission } = TOPICS[topic];
    if (permission !== null && !has(caller, permission))
      throw new ProblemError('permission_denied', `The topic ${topic} requires the permission ${permission}.`);
  }
  if (orgId !== undefined && caller.scope.orgs !== 'all' && !caller.scope.orgs.has(orgId))
    throw new ProblemError('org_access_denied');
}
