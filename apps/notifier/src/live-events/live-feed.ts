import type { EventEnvelope, UserCaller } from '@gatehouse/contracts-core';
import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { EventBus } from '@gatehouse/messaging';
import { Limits } from '@gatehouse/rate-limit';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { frameOf, mayHear, type Placed } from './live-event.ts';

export interface Listener {
  readonly caller: UserCaller;
  send(frame: string): void;
  close(): void;
}

const SUBJECTS = ['pam.elevation.>', 'approval.push.requested.v1', 'approval.request.settled.v1'];

/**
 * The open live streams and the events that each may receive. Revoking a session closes its stream; a gap in the
 * connection to the broker closes all streams, because a revocation may have been missed.
 */
@Injectable()
export class LiveFeed implements OnModuleInit {
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly bus: EventBus,
    private readonly limits: Limits,
  ) {}

  onModuleInit(): void {
    for (const subject of SUBJECTS)
      this.bus.listenTo(
        subject,
        (event) => this.pass(event as EventEnvelope<Placed>),
        () => this.listeners.size > 0,
      );
    this.bus.listen(PrincipalsChanged, ({ data }) => {
      const over = new Set([...data.sessionIds, ...data.userIds, ...data.apiKeyIds]);
      for (const listener of this.listeners) if (isOver(listener.caller, over)) this.end(listener);
    });
    this.bus.onGap(() => this.listeners.forEach((listener) => this.end(listener)));
  }

  /**
   * Beyond the caller's limit the oldest stream is closed: its client is the likeliest to have reconnected from
   * another network.
   * @returns a function that removes the listener
   */
  join(listener: Listener): () => void {
    const own = [...this.listeners].filter(({ caller }) => caller.id === listener.caller.id);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - this.limits.bound('eventStreams').max)))
      this.end(oldest);
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private end(listener: Listener): void {
    this.listeners.delete(listener);
    listener.close();
  }

  private pass(event: EventEnvelope<Placed>): void {
    for (const listener of this.listeners) if (mayHear(listener.caller, event.data)) listener.send(frameOf(event));
  }
}

const isOver = ({ id, userId, sessionId }: UserCaller, over: ReadonlySet<string>): boolean =>
  over.has(id) || over.has(userId) || (sessionId !== null && over.has(sessionId));
