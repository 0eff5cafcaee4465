import { type EventBundle, type EventEnvelope, type EventType, eventsIn } from '@gatehouse/contracts-core';
import { setTimeout as wait } from 'node:timers/promises';
import {
  connect,
  DebugEvents,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  JSONCodec,
  type Msg,
  type NatsConnection,
} from 'nats';
import { brokerAddress } from './broker-address.ts';
import { inboxOf } from './broker-users.ts';
import { requireGenuine } from './genuine.ts';
import { publishAll } from './publish-all.ts';
import { lookAtStreams, type StreamState } from './streams.ts';
import { newestStored, storedSubjects } from './read-back.ts';
import { matchesSubject } from './subjects.ts';
import { publishedBy, requireListed } from './traffic.ts';

/** What the bus needs of a logger; pino fits. */
export interface BusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface BusOptions {
  readonly url: string;
  /** The service: its entry in the catalogue of traffic says what it may do here. */
  readonly name: string;
  readonly log: BusLog;
}

export interface Outgoing {
  readonly id: string;
  readonly subject: string;
  /** The envelope, as the outbox holds it. */
  readonly json: string;
}

const codec = JSONCodec();
const PUBLISH_TIMEOUT_MS = 5_000;
/** Transactions may be open meanwhile. */
const READ_BACK_TIMEOUT_MS = 2_000;
const RETRY_MS = 500;
const INBOXES = '_INBOX.';
/** What the message's id takes, which counts. */
const HEADER_BYTES = 256;
/**
 * A broker that answers neither of two pings is given up at the third, after 15 s at most; a busy process reads what
 * came before it
 * counts another. Connecting again is done here: of the client's own attempts those that it gave up come to life when
 * the network
 * does, and their end is taken for that of the connection which took their place. It also gives up for good after two
 * refused log-ins.
 */
const CONNECTION = { timeout: 3_000, pingInterval: 5_000, maxPingOut: 2, reconnect: false };

type Listener = (envelope: EventEnvelope) => void;
interface Listening {
  readonly subject: string;
  readonly listener: Listener;
  /** Whether anybody wants to know at the moment: events that nobody wants are not even read. */
  readonly wanted: () => boolean;
}
type Responder = (question: object) => Promise<object>;

/**
 * The one importer of the NATS client. It connects in the background and for ever: no service waits for the broker to
 * start or to serve.
 */
export class EventBus {
  private connection: NatsConnection | null = null;
  private closing = false;
  private readonly responders: { subject: string; respond: Responder }[] = [];
  private readonly listeners: Listening[] = [];
  private readonly gapListeners: (() => void)[] = [];
  private readonly streamListeners: ((streams: readonly StreamState[]) => Promise<void>)[] = [];
  private streams: readonly StreamState[] = [];
  private readonly ready: (() => void)[] = [];
  private up = false;
  private ended = new AbortController();

  private readonly publishes: ReadonlySet<string>;

  constructor(private readonly options: BusOptions) {
    this.publishes = new Set(publishedBy(options.name));
  }

  get isConnected(): boolean {
    return this.live !== null && this.up;
  }

  /** Starts connecting and returns at once. */
  start(): void {
    void this.keepConnecting();
  }

  /**
   * Called with the streams as the broker has them: now, when they are known, and each time that they are looked at
   * again.
   */
  async onStreams(listener: (streams: readonly StreamState[]) => Promise<void>): Promise<void> {
    this.streamListeners.push(listener);
    if (this.streams.length > 0) await listener(this.streams);
  }

  /** Resolves when the bus is connected (again). */
  async whenReady(): Promise<void> {
    if (this.isConnected) return;
    await new Promise<void>((resolve) => this.ready.push(resolve));
  }

  /** Resolves when the connection of this moment has ended: nothing comes by it any more. */
  get lost(): Promise<void> {
    return this.connection ? this.connection.closed().then(() => undefined) : Promise.resolve();
  }

  get jetstream(): JetStreamClient {
    if (!this.live) throw new Error('the event bus is not connected');
    return this.live.jetstream({ timeout: PUBLISH_TIMEOUT_MS });
  }

  async manager(timeout = PUBLISH_TIMEOUT_MS): Promise<JetStreamManager> {
    if (!this.live) throw new Error('the event bus is not connected');
    return this.live.jetstreamManager({ timeout, checkAPI: false });
  }

  /**
   * Publishes with the id for de-duplication and waits until the stream has stored all. @throws when any was not stored
   */
  async publish(messages: readonly Outgoing[]): Promise<void> {
    if (!this.live) throw new Error('the event bus is not connected');
    await publishAll(
      this.live,
      messages.map(({ id, subject, json }) => ({ id, subject, payload: Buffer.from(json) })),
      { inbox: inboxOf(this.options.name), timeoutMs: PUBLISH_TIMEOUT_MS, ended: this.ended.signal },
    );
  }

  /** The bytes that the broker takes in one message; unlimited while that is not known. */
  get largestMessage(): number {
    return (this.live?.info?.max_payload ?? Infinity) - HEADER_BYTES;
  }

  /** Whether the catalogue lets the service, or one that shares its outbox, state this. */
  mayPublish(subject: string): boolean {
    return this.publishes.has(subject) || [...this.publishes].some((pattern) => matchesSubject(pattern, subject));
  }

  /**
   * Reads back the newest event that this service has published on a subject.
   * @returns the text of the message, null when the stream holds none
   * @throws Error when the catalogue does not list the subject, or the broker does not answer within 2 s
   */
  async readBack(subject: string): Promise<string | null> {
    requireListed(this.options.name, 'readsBack', [subject]);
    return newestStored(await this.manager(READ_BACK_TIMEOUT_MS), subject);
  }

  /** The subjects in a pattern of which the stream holds events. @throws Error as {@link readBack} does */
  async stored(pattern: string): Promise<string[]> {
    requireListed(this.options.name, 'readsBack', [pattern]);
    return storedSubjects(await this.manager(), pattern);
  }

  /**
   * Called on each connecting, before anything is heard by it: what was said since the last connection ended was not.
   */
  onGap(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  /** Every instance hears the event while it is connected: for caches and live views, never for truth. */
  listen<T extends object>(event: EventType<T>, listener: (envelope: EventEnvelope<T>) => void): void {
    this.listenTo(event.subject, listener as Listener);
  }

  /** @throws Error when the catalogue does not say that this service listens there */
  listenTo(subject: string, listener: Listener, wanted: () => boolean = () => true): void {
    requireListed(this.options.name, 'listens', [subject]);
    const listening = { subject, listener, wanted };
    this.listeners.push(listening);
    if (this.live) this.subscribe(this.live, listening);
  }

  /** Asks the one service that answers there; nothing of it is kept. @throws when no answer came in time */
  async request<A extends object>(subject: string, question: object, { timeoutMs }: { timeoutMs: number }): Promise<A> {
    requireListed(this.options.name, 'asks', [subject]);
    if (!this.live || !this.up) throw new Error('the event bus is not connected');
    const reply = await this.live.request(subject, codec.encode(question), { timeout: timeoutMs });
    return codec.decode(reply.data) as A;
  }

  /**
   * Answers questions of other services, one instance of this service for all of them. A failure stays silent: the
   * asker's time runs out.
   * @throws Error when the catalogue does not say that this service answers there
   */
  reply<Q extends object>(subject: string, respond: (question: Q) => Promise<object>): void {
    requireListed(this.options.name, 'answers', [subject]);
    this.responders.push({ subject, respond: respond as Responder });
    if (this.live) this.serve(this.live, { subject, respond: respond as Responder });
  }

  /**
   * Looks at the streams that carry what this service states; called on connecting and when publishing fails. @throws
   * while one is missing
   */
  async lookAtStreams(): Promise<void> {
    this.streams = await lookAtStreams(await this.manager(), [...this.publishes]);
    for (const listener of this.streamListeners) await listener(this.streams);
  }

  async close(): Promise<void> {
    this.closing = true;
    this.up = false;
    // A drain waits for the broker's word, also when the connection ends without it.
    await Promise.race([this.connection?.drain().catch(() => undefined), this.lost]);
  }

  private get live(): NatsConnection | null {
    return this.connection?.isClosed() === false ? this.connection : null;
  }

  private async keepConnecting(): Promise<void> {
    const { url, name, log } = this.options;
    for (let attempt = 1; !this.closing; attempt++) {
      try {
        return await this.welcome(
          await connect({ ...brokerAddress(url), ...CONNECTION, name, inboxPrefix: inboxOf(name) }),
        );
      } catch (error) {
        if (attempt === 1) log.warn({ err: error }, 'the broker cannot be reached; trying until it can');
        await wait(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  private async welcome(connection: NatsConnection): Promise<void> {
    if (this.closing) return connection.close();
    for (const listener of this.gapListeners) listener();
    for (const listening of this.listeners) this.subscribe(connection, listening);
    for (const responder of this.responders) this.serve(connection, responder);
    this.connection = connection;
    void this.watch(connection);
    void this.replaceWhenLost(connection);
    await this.announceUp(connection);
  }

  private async announceUp(connection: NatsConnection): Promise<void> {
    if (!(await this.streamsAreChecked())) void this.keepChecking(connection);
    if (connection.isClosed() || this.closing) return;
    this.up = true;
    this.options.log.info({}, 'connected to the broker');
    for (const resolve of this.ready.splice(0)) resolve();
  }

  private streamsAreChecked(again = false): Promise<boolean> {
    return this.lookAtStreams().then(
      () => true,
      (error: unknown) => {
        if (!again) this.options.log.warn({ err: error }, 'streams could not be checked; trying until they can');
        return false;
      },
    );
  }

  /**
   * A broker takes connections before it has its streams together, and what it lost must not go unnoticed because of
   * that.
   */
  private async keepChecking(connection: NatsConnection): Promise<void> {
    do await wait(RETRY_MS, undefined, { ref: false });
    while (!connection.isClosed() && !(await this.streamsAreChecked(true)));
  }

  /** The client ends a connection that it found dead once the last bytes are taken, which they never are. */
  private async watch(connection: NatsConnection): Promise<void> {
    for await (const { type, data, permissionContext } of connection.status()) {
      if (type === DebugEvents.StaleConnection) await connection.close();
      if (type === Events.Error)
        this.options.log.error(
          { reason: data, ...permissionContext },
          'the broker refused an operation of this service',
        );
    }
  }

  private async replaceWhenLost(connection: NatsConnection): Promise<void> {
    const ended = (this.ended = new AbortController());
    const reason = await connection.closed();
    ended.abort();
    if (this.closing) return;
    this.up = false;
    this.options.log.warn({ err: reason }, 'disconnected from the broker');
    await this.keepConnecting();
  }

  private serve(connection: NatsConnection, { subject, respond }: { subject: string; respond: Responder }): void {
    const reply = async (message: Msg): Promise<void> => {
      // Elsewhere the answer would be a message that this service says without knowing it.
      if (!message.reply?.startsWith(INBOXES)) throw new Error('the question names no inbox for its answer');
      message.respond(codec.encode(await respond(codec.decode(message.data) as object)));
    };
    connection.subscribe(subject, {
      queue: this.options.name,
      callback: (error, message) => {
        if (!error)
          reply(message).catch((failure: unknown) =>
            this.options.log.warn({ err: failure, subject }, 'a question could not be answered'),
          );
      },
    });
  }

  private subscribe(connection: NatsConnection, { subject, listener, wanted }: Listening): void {
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error || !wanted()) return;
        try {
          for (const event of eventsIn(codec.decode(message.data) as EventEnvelope | EventBundle)) {
            requireGenuine(event, message.subject);
            listener(event);
          }
        } catch (failure) {
          this.options.log.warn({ err: failure, subject: message.subject }, 'an event could not be read');
        }
      },
    });
  }
}
