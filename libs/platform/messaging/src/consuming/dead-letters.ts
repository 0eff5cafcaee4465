import { asService, type Caller } from '@gatehouse/contracts-core';
import { actorOf, type Tx, type UnitOfWork } from '@gatehouse/database';
import { hasVersion, kindOf } from '../catalogue/streams.ts';
import { matchesSubject } from '../catalogue/traffic.ts';
import { onePerSubject, type Subscription } from './consumes.ts';
import { type DeadLetter, DeadLettersRepository, type StoredLetter } from './inbox.repository.ts';
import { arrivalIn, Inbox, reasonOf } from './inbox.ts';

export const subscriptionOf = (subscriptions: readonly Subscription[], subject: string): Subscription | null =>
  subscriptions.find((candidate) => matchesSubject(candidate.subject, subject)) ?? null;

/**
 * Whether the subject is another version of a subscribed event, which a newer service publishes and which must not be
 * lost.
 */
export const isOtherVersion = (subscriptions: readonly Subscription[], subject: string): boolean =>
  hasVersion(subject) && subscriptions.some((known) => kindOf(known.subject) === kindOf(subject));

/** Stands for the stream of a dead letter that never left the service that wrote it. */
export const OUTBOX = 'outbox';
export interface Replay {
  readonly replayed: boolean;
  /** Why the replay failed. */
  readonly reason: string | null;
}

/** The events that a consumer of the service failed to apply, kept until they are replayed through that consumer. */
export class DeadLetters {
  private subscriptions: readonly Subscription[] = [];

  private readonly repository: DeadLettersRepository;

  constructor(
    private readonly service: string,
    private readonly work: UnitOfWork,
  ) {
    this.repository = new DeadLettersRepository(service);
  }

  /** Sets the subscriptions that receive replayed events, once the service is assembled. */
  replayInto(subscriptions: readonly Subscription[]): void {
    this.subscriptions = onePerSubject(subscriptions);
  }

  /** Dead letters that were not replayed yet, oldest first. */
  list(): Promise<DeadLetter[]> {
    return this.work.backgroundRead(asService(this.service), (reader) => this.repository.waiting(reader));
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
    const letter = await this.repository.lock(tx, id);
    if (!letter) return false;
    const { consumer, subject } = letter;
    const stream = consumer.slice(this.service.length + 1);
    if (stream === OUTBOX) await this.repository.putIntoOutbox(tx, letter);
    else await this.take(tx, stream, letter);
    await this.repository.markReplayed(tx, id);
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
