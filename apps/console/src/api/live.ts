import { createParser } from 'eventsource-parser';
import { returnOfNetwork } from './browser.ts';
import { currentToken, endSession, renewSession } from './session.ts';

export type LiveState = 'live' | 'reconnecting' | 'offline';
export type LiveMessage =
  { readonly kind: 'event'; readonly subject: string } | { readonly kind: 'reread' } | { readonly kind: LiveState };

/** What tabs tell each other: a tab that joins asks for the present state. */
type TabMessage = LiveMessage | { readonly kind: 'joined' };

const STATES: readonly string[] = ['live', 'reconnecting', 'offline'] satisfies LiveState[];
const isState = (kind: string): kind is LiveState => STATES.includes(kind);

const LOCK = 'gatehouse-live';
const SILENCE_SECONDS = 40;
const BACKOFF_SECONDS = { least: 1, most: 30 };
const URL = '/api/v1/events/stream';

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

class Stream {
  private lastEventId: string | null = null;
  /** The token with which the stream was opened; the server ends the stream with it. */
  token: string | null = null;

  constructor(
    private readonly topics: readonly string[],
    private readonly send: (message: LiveMessage) => void,
  ) {}

  /** Reads until the stream ends; one without a heartbeat for 40 seconds, or without a network, is given up. */
  async read(): Promise<void> {
    const silence = new AbortController();
    const giveUp = () => silence.abort();
    window.addEventListener('offline', giveUp, { once: true });
    let timer = setTimeout(giveUp, SILENCE_SECONDS * 1000);
    const response = await this.open(silence.signal);
    // The token was refused: whether the session goes on is found out by renewing it.
    if (response.status === 401) return clearTimeout(timer);
    if (!response.ok || response.body === null) throw new Error(`The stream answered with ${response.status}`);
    this.send({ kind: 'live' });
    this.send({ kind: 'reread' });
    const parser = createParser({ onEvent: (event) => this.take(event.id, event.event) });
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let chunk = await chunks.read(); !chunk.done; chunk = await chunks.read()) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, SILENCE_SECONDS * 1000);
      parser.feed(chunk.value);
    }
    clearTimeout(timer);
  }

  private open(signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams(this.topics.map((topic) => ['topics', topic]));
    this.token = currentToken();
    const headers = { authorization: `Bearer ${this.token}`, ...this.position() };
    return fetch(`${URL}?${query}`, { headers, signal });
  }

  private position(): Record<string, string> {
    return this.lastEventId === null ? {} : { 'last-event-id': this.lastEventId };
  }

  private take(id: string | undefined, subject: string | undefined): void {
    if (id !== undefined) this.lastEventId = id;
    if (subject === 'resync') this.send({ kind: 'reread' });
    else if (subject !== undefined) this.send({ kind: 'event', subject });
  }
}

/**
 * Reads the stream until the session ends: again at once when a token has ended it, with backoff and jitter after a
 * failure.
 */
async function lead(stream: Stream, send: (message: LiveMessage) => void): Promise<void> {
  for (let wait = BACKOFF_SECONDS.least; ;) {
    const began = Date.now();
    try {
      await stream.read();
      if (!(await renewSession(stream.token))) return endSession();
      wait = BACKOFF_SECONDS.least;
    } catch {
      send({ kind: navigator.onLine ? 'reconnecting' : 'offline' });
      await Promise.race([returnOfNetwork(), pause(wait * (0.5 + Math.random() / 2))]);
      wait = Math.min(wait * 2, BACKOFF_SECONDS.most);
    }
    if (Date.now() - began < 1000) await pause(BACKOFF_SECONDS.least);
  }
}

/**
 * Follows the live events of the signed-in person. One tab reads the stream and shares what it gets with the others,
 * because a browser opens few connections to one origin.
 */
export function followLiveEvents(topics: readonly string[], listener: (message: LiveMessage) => void): void {
  const tabs = new BroadcastChannel('gatehouse-live');
  /** Of the stream, in the tab that reads it. */
  let state: LiveState | null = null;
  const send = (message: LiveMessage) => {
    if (isState(message.kind)) state = message.kind;
    tabs.postMessage(message);
    listener(message);
  };
  tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind !== 'joined') listener(data);
    else if (state !== null) tabs.postMessage({ kind: state });
  });
  tabs.postMessage({ kind: 'joined' });
  void navigator.locks.request(LOCK, () => lead(new Stream(topics, send), send));
}
