import { type EventBundle, type EventEnvelope, eventsIn, type EventType } from '@gatehouse/contracts-core';
import {
  connect,
  DebugEvents,
  Events,
  type JetStreamClient,
  type JetStreamManager,
  JSONCodec,
  type Msg,
  type NatsConnection,
  NatsError,
} from 'nats';
import { setTimeout as wait } from 'node:timers/promises';
import { brokerAddress } from './broker/provision-broker.ts';
import { inboxOf } from './broker/broker-users.ts';
import { lookAtStreams, requireGenuine, streamOf, type StreamState } from './catalogue/streams.ts';
import { matchesSubject, publishedBy, requireListed } from './catalogue/traffic.ts';
import { publishAll } from './publish-all.ts';

const NO_MESSAGE_FOUND = 10037;

/**
 * @returns the text of the newest stored message of a subject, or null when there is none
 * @throws NatsError when the stream cannot be queried
 */
async function newestStored(manager: JetStreamManager, subject: string): Promise<string | null> {
  try {
    return (await manager.streams.getMessage(streamOf(subject).name, { last_by_subj: subject })).string();
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.err_code === NO_MESSAGE_FOUND) return null;
    throw error;
  }
}

/**
 * @returns the subjects matching a pattern that have stored messages
 * @throws NatsError when the stream cannot be queried
 */
async function storedSubjects(manager: JetStreamManager, pattern: string): Promise<string[]> {
  const { state } = await manager.streams.info(streamOf(pattern).name, { subjects_filter: pattern });
  return Object.keys(state.subjects ?? {});
}

/** The logger interface that the bus needs; pino fits. */
export interface BusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface BusOptions {
  readonly url: string;
  /** File with the authority of the broker's certificate; turns TLS on. */
  readonly caFile?: string;
  /** The service; its entry in the traffic catalogue lists what it may do here. */
  readonly name: string;
  readonly log: BusLog;
}

export interface Outgoing {
  readonly id: string;
  readonly subject: string;
  /** The envelope, as stored in the outbox. */
  readonly json: string;
}

const codec = JSONCodec();
const PUBLISH_TIMEOUT_MS = 5_000;
/** Kept short, because a transaction may be open during the call. */
const READ_BACK_TIMEOUT_MS = 2_000;
const RETRY_MS = 500;
const INBOXES = '_INBOX.';
/** Size of the message-id header, which counts towards the broker's limit. */
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
  /** Whether a listener wants events at the moment; otherwise they are not even parsed. */
  readonly wanted: () => boolean;
}
type Responder = (question: object) => Promise<object>;

/**
 * The only module that imports the NATS client for a service. It connects in the background and retries for ever, so no
 * service waits for the broker before it starts or serves.
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

  /** Calls the listener with the state of the streams at the broker: now, if known, and after each check. */
  async onStreams(listener: (streams: readonly StreamState[]) => Promise<void>): Promise<void> {
    this.streamListeners.push(listener);
    if (this.streams.length > 0) await listener(this.streams);
  }

  /** Resolves when the bus is connected (again). */
  async whenReady(): Promise<void> {
    if (this.isConnected) return;
    await new Promise<void>((resolve) => this.ready.push(resolve));
  }

  /** Resolves when the current connection ends. */
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
   * Publishes with message ids for de-duplication and waits until the stream has stored all messages.
   * @throws when any was not stored
   */
  async publish(messages: readonly Outgoing[]): Promise<void> {
    if (!this.live) throw new Error('the event bus is not connected');
    await publishAll(
      this.live,
      messages.map(({ id, subject, json }) => ({ id, subject, payload: Buffer.from(json) })),
      { inbox: inboxOf(this.options.name), timeoutMs: PUBLISH_TIMEOUT_MS, ended: this.ended.signal },
    );
  }

  /** The largest message in bytes that the broker accepts; unlimited while that is unknown. */
  get largestMessage(): number {
    return (this.live?.info?.max_payload ?? Infinity) - HEADER_BYTES;
  }

  /** Whether the catalogue lets the service, or another one with the same outbox, publish on the subject. */
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
   * Calls the listener on each connect, before any event is received: events published while disconnected were missed.
   */
  onGap(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  /** Every connected instance receives the event. For caches and live views only; events may be missed. */
  listen<T extends object>(event: EventType<T>, listener: (envelope: EventEnvelope<T>) => void): void {
    this.listenTo(event.subject, listener as Listener);
  }

  /** @throws Error when the catalogue does not list this subject under `listens` */
  listenTo(subject: string, listener: Listener, wanted: () => boolean = () => true): void {
    requireListed(this.options.name, 'listens', [subject]);
    const listening = { subject, listener, wanted };
    this.listeners.push(listening);
    if (this.live) this.subscribe(this.live, listening);
  }

  /**
   * Sends a request to the one service that replies on the subject; nothing is stored.
   * @throws when no reply arrives in time
   */
  async request<A extends object>(subject: string, question: object, { timeoutMs }: { timeoutMs: number }): Promise<A> {
    requireListed(this.options.name, 'asks', [subject]);
    if (!this.live || !this.up) throw new Error('the event bus is not connected');
    const reply = await this.live.request(subject, codec.encode(question), { timeout: timeoutMs });
    return codec.decode(reply.data) as A;
  }

  /**
   * Replies to requests of other services; one instance of this service handles each request. On failure no reply is
   * sent, and the caller's request times out.
   * @throws Error when the catalogue does not list this subject under `answers`
   */
  reply<Q extends object>(subject: string, respond: (question: Q) => Promise<object>): void {
    requireListed(this.options.name, 'answers', [subject]);
    this.responders.push({ subject, respond: respond as Responder });
    if (this.live) this.serve(this.live, { subject, respond: respond as Responder });
  }

  /**
   * Checks the streams that carry this service's events; called on connect and when publishing fails.
   * @throws while one is missing
   */
  async lookAtStreams(): Promise<void> {
    this.streams = await lookAtStreams(await this.manager(), [...this.publishes]);
    for (const listener of this.streamListeners) await listener(this.streams);
  }

  async close(): Promise<void> {
    this.closing = true;
    this.up = false;
    // A drain waits for a reply of the broker and would hang if the connection ended without one.
    await Promise.race([this.connection?.drain().catch(() => undefined), this.lost]);
  }

  private get live(): NatsConnection | null {
    return this.connection?.isClosed() === false ? this.connection : null;
  }

  private async keepConnecting(): Promise<void> {
    const { url, caFile, name, log } = this.options;
    for (let attempt = 1; !this.closing; attempt++) {
      try {
        return await this.welcome(
          await connect({ ...brokerAddress(url, caFile), ...CONNECTION, name, inboxPrefix: inboxOf(name) }),
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
   * Checks repeatedly: a broker accepts connections before its streams are ready, and lost streams must still be
   * noticed.
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
      // A reply to any other subject would be a message that this service publishes unintentionally.
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
