import type { EventEnvelope, UserCaller } from '@gatehouse/contracts-core';
import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { newId } from '@gatehouse/crypto';
import { EventBus } from '@gatehouse/messaging';
import { Limits } from '@gatehouse/rate-limit';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  frameOf,
  KEPT_MS,
  type LiveEvent,
  mayReceive,
  positionFrame,
  RecentEvents,
  RESYNC_FRAME,
} from './recent-events.ts';
import { LIVE_TOPICS, type LiveTopic, type Placed, shownOf, TOPICS } from './live-topics.ts';

export interface Listener {
  readonly caller: UserCaller;
  readonly topics: readonly LiveTopic[];
  /** The one organisation whose events the client wants. */
  readonly orgId?: string;
  send(frame: string): void;
  close(): void;
}

/** In characters. A longer replay is a resync: reading the state anew is cheaper than that many events. */
const MAX_REPLAYED = 128 * 1024;
/**
 * How long after a revocation a stream may still be opened by it: the gateway may hear of it later, and uses what it
 * knows for at most 5 s.
 */
const LATE_MS = 6_000;
const lengthOf = (events: readonly LiveEvent[]): number => events.reduce((sum, { frame }) => sum + frame.length, 0);

/**
 * The open live streams and the events that each may receive. Revoking a session closes its stream; a gap in the
 * connection to the broker closes all streams and forgets the recent events, because some may have been missed.
 */
@Injectable()
export class LiveFeed implements OnModuleInit {
  private readonly listeners = new Set<Listener>();
  private readonly recent = new RecentEvents();
  /** When the last client left. */
  private leftAt = -Infinity;

  constructor(
    private readonly bus: EventBus,
    private readonly limits: Limits,
  ) {}

  onModuleInit(): void {
    for (const topic of LIVE_TOPICS)
      for (const subject of TOPICS[topic].subjects)
        this.bus.listenTo(
          subject,
          (event) => this.pass(topic, event),
          () => this.isWatched,
        );
    this.bus.listen(PrincipalsChanged, ({ data }) => {
      const over = new Set([...data.sessionIds, ...data.userIds, ...data.apiKeyIds]);
      this.endOf(over);
      setTimeout(() => this.endOf(over), LATE_MS).unref();
    });
    this.bus.onGap(() => {
      this.recent.clear();
      this.listeners.forEach((listener) => this.end(listener));
    });
  }

  /**
   * Sends what the client missed since its last event, or a resync, and from then on each event. Beyond the caller's
   * limit the oldest stream is closed: its client is the likeliest to have reconnected from another network.
   * @param lastEventId the position of a client that reconnects
   * @returns a function that removes the listener
   */
  join(listener: Listener, lastEventId?: string): () => void {
    const own = [...this.listeners].filter(({ caller }) => caller.id === listener.caller.id);
    const most = this.limits.bound('eventStreams').max;
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - most))) this.end(oldest);
    if (!this.isWatched) this.recent.clear();
    this.catchUp(listener, lastEventId);
    this.listeners.add(listener);
    return () => this.leave(listener);
  }

  /** Ends with a position of its own, so that a client that leaves before the first event misses none either. */
  private catchUp(listener: Listener, lastEventId: string | undefined): void {
    if (lastEventId !== undefined) {
      const missed = this.recent.after(lastEventId, listener.caller.id, ({ placed }) =>
        mayReceive(listener.caller, placed),
      );
      const wanted = missed?.filter((event) => isFor(listener, event));
      if (wanted && lengthOf(wanted) <= MAX_REPLAYED) for (const { frame } of wanted) listener.send(frame);
      else listener.send(RESYNC_FRAME);
    }
    const position = newId();
    this.recent.mark(position, listener.caller.id);
    listener.send(positionFrame(position));
  }

  /** While no client may come back for them, events are not even parsed. */
  private get isWatched(): boolean {
    return this.listeners.size > 0 || performance.now() - this.leftAt < KEPT_MS;
  }

  private leave(listener: Listener): void {
    if (this.listeners.delete(listener)) this.leftAt = performance.now();
  }

  private end(listener: Listener): void {
    this.leave(listener);
    listener.close();
  }

  private endOf(over: ReadonlySet<string>): void {
    for (const listener of this.listeners) if (isOver(listener.caller, over)) this.end(listener);
  }

  private pass(topic: LiveTopic, envelope: EventEnvelope): void {
    const shown = shownOf(topic, envelope);
    const { id, source, data } = shown;
    const event: LiveEvent = { id, topic, source, placed: data, frame: frameOf(shown) };
    this.recent.add(event);
    for (const listener of this.listeners) if (isFor(listener, event)) listener.send(event.frame);
  }
}

/** A stream for one organisation gets what concerns every organisation as well. */
const concerns = (orgId: string, { orgId: of, level }: Placed): boolean =>
  of === orgId || (of === null && level === 'partner');

const isFor = ({ caller, topics, orgId }: Listener, { topic, placed }: LiveEvent): boolean =>
  topics.includes(topic) && (orgId === undefined || concerns(orgId, placed)) && mayReceive(caller, placed);

const isOver = ({ id, userId, sessionId }: UserCaller, over: ReadonlySet<string>): boolean =>
  over.has(id) || over.has(userId) || (sessionId !== null && over.has(sessionId));
