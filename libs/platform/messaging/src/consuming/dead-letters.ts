import { asService, type Caller } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { actorOf, type Tx, type UnitOfWork } from '@gatehouse/database';
import { onePerSubject, type Subscription } from './consumes.ts';
import { arrivalIn } from './delivery.ts';
import { Inbox, reasonOf } from './inbox.ts';
import { subscriptionOf } from './subscriptions.ts';

/** Stands for the stream of a dead letter that never left the service that wrote it. */
export const OUTBOX = 'outbox';
const MAX_LISTED = 1_000;
const OF_SERVICE = `split_part(consumer, '.', 1) = $1`;
const LIST = `SELECT id, consumer, subject, error, created_at FROM dead_letters WHERE ${OF_SERVICE} AND replayed_at IS NULL ORDER BY created_at, id LIMIT ${MAX_LISTED}`;
const LOCK = `SELECT consumer, subject, payload FROM dead_letters WHERE id = $2 AND ${OF_SERVICE} AND replayed_at IS NULL FOR UPDATE`;
const STAND_IN_LINE = 'INSERT INTO outbox (id, subject, envelope) VALUES ($1, $2, $3)';
const MARK = 'UPDATE dead_letters SET replayed_at = now() WHERE id = $1';

export interface DeadLetter {
  readonly id: string;
  readonly consumer: string;
  readonly subject: string;
  readonly error: string;
  readonly createdAt: Date;
}

interface StoredLetter {
  readonly consumer: string;
  readonly subject: string;
  readonly payload: string;
}

export interface Replay {
  readonly replayed: boolean;
  /** Why the replay failed. */
  readonly reason: string | null;
}

/** The events that a consumer of the service failed to apply, kept until they are replayed through that consumer. */
export class DeadLetters {
  private subscriptions: readonly Subscription[] = [];

  constructor(
    private readonly service: string,
    private readonly work: UnitOfWork,
  ) {}

  /** Sets the subscriptions that receive replayed events, once the service is assembled. */
  replayInto(subscriptions: readonly Subscription[]): void {
    this.subscriptions = onePerSubject(subscriptions);
  }

  /** Dead letters that were not replayed yet, oldest first. */
  list(): Promise<DeadLetter[]> {
    return this.work.backgroundRead(asService(this.service), (reader) =>
      reader.query<DeadLetter>(LIST, [this.service]),
    );
  }

  /** Applies a dead letter as its consumer would: the effect, the inbox row and the replay mark are one transaction. */
  async replay(caller: Caller, id: string): Promise<Replay> {
    try {
      const replayed = await this.work.background(asService(this.service), (tx) => this.apply(tx, caller, id));
      return { replayed, reason: replayed ? null : 'there is no such letter waiting' };
    } catch (error) {
      return { replayed: false, reason: reasonOf(error) };
    }
  }

  private async apply(tx: Tx, caller: Caller, id: string): Promise<boolean> {
    const letter = await tx.one<StoredLetter>(LOCK, [this.service, id]);
    if (!letter) return false;
    const { consumer, subject, payload } = letter;
    const stream = consumer.slice(this.service.length + 1);
    if (stream === OUTBOX) await tx.query(STAND_IN_LINE, [newId(), subject, payload]);
    else await this.take(tx, stream, letter);
    await tx.query(MARK, [id]);
    tx.audit({
      action: 'dead_letter.replay',
      resource: { type: 'dead_letter', id, name: subject },
      actor: actorOf(caller),
      partnerId: null,
      orgId: null,
      details: { consumer },
    });
    return true;
  }

  private async take(tx: Tx, stream: string, { subject, payload }: StoredLetter): Promise<void> {
    const subscription = subscriptionOf(this.subscriptions, subject);
    if (!subscription) throw new Error(`nothing in ${this.service} takes ${subject}`);
    await new Inbox(this.service, stream, this.work).apply(tx, [
      arrivalIn({ text: payload, subject }, subscription, true),
    ]);
  }
}
