import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ACCESS_TOKEN_SECONDS, type UserCaller } from '@gatehouse/contracts-core';
import { Controller, Get, type OnModuleDestroy, Res } from '@nestjs/common';
import { ApiOkResponse, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LiveFeed } from './live-feed.ts';

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
export class LiveEventsController implements OnModuleDestroy {
  private readonly open = new Set<() => void>();

  constructor(private readonly feed: LiveFeed) {}

  /**
   * Streams what happens in the caller's reach as server-sent events (WHATWG HTML 9.2). Each event has a name
   * (`event:`), an id (`id:`) and one JSON object (`data:`). A comment line comes every 15 seconds. The stream ends
   * when the access token expires, at the latest, and when the client reads too slowly; connect again.
   */
  @Get('stream')
  @Requires('devices:read')
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ description: 'A stream of events', schema: { type: 'string' } })
  stream(@CurrentCaller() caller: UserCaller, @Res() reply: FastifyReply): void {
    const { raw } = reply.hijack();
    raw.writeHead(200, HEADERS);
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
    const end = setTimeout(close, ACCESS_TOKEN_SECONDS * 1000);
    const leave = this.feed.join({ caller, send, close });
    this.open.add(close);
    raw.once('close', close);
  }

  onModuleDestroy(): void {
    for (const close of this.open) close();
  }
}
