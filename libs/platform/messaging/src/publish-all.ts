import { createInbox, headers, type Msg, type NatsConnection } from 'nats';

const MESSAGE_ID = 'Nats-Msg-Id';
const NO_RESPONDERS = 503;

export interface StoredMessage {
  readonly id: string;
  readonly subject: string;
  readonly payload: Uint8Array;
}

/** Why the message was not stored, or null when it was. A repeated id counts as stored. */
function faultOf(acknowledgement: Msg): string | null {
  if (acknowledgement.headers?.code === NO_RESPONDERS) return 'no stream takes the subject';
  const { error } = acknowledgement.json<{ error?: { description?: string } }>();
  return error ? (error.description ?? 'the stream refused the message') : null;
}

interface Publishing {
  /** The inbox to which the broker sends the acknowledgements. */
  readonly inbox: string;
  readonly timeoutMs: number;
  /** Aborts when the connection ends, since its acknowledgements will then never arrive. */
  readonly ended: AbortSignal;
}

/**
 * Publishes a batch to JetStream and waits until every message is stored. One inbox and one timer serve the whole
 * batch; the client's `publish` makes a request for each message, which costs several times as much.
 * @throws Error when any message was not stored in time
 */
export function publishAll(
  connection: NatsConnection,
  messages: readonly StoredMessage[],
  { inbox: prefix, timeoutMs, ended }: Publishing,
): Promise<void> {
  if (messages.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const inbox = createInbox(prefix);
    let open = messages.length;
    const subscription = connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => settle(error?.message ?? faultOf(message)),
    });
    const timer = setTimeout(
      () => settle(`${open} of ${messages.length} messages were not acknowledged in time`),
      timeoutMs,
    );
    const breakOff = (): void => settle('the connection ended');
    ended.addEventListener('abort', breakOff);
    const settle = (fault: string | null): void => {
      open--;
      if (fault === null && open > 0) return;
      clearTimeout(timer);
      ended.removeEventListener('abort', breakOff);
      subscription.unsubscribe();
      if (fault === null) resolve();
      else reject(new Error(`events could not be published: ${fault}`));
    };
    messages.forEach(({ id, subject, payload }, at) => {
      const own = headers();
      own.set(MESSAGE_ID, id);
      connection.publish(subject, payload, { headers: own, reply: `${inbox}.${at}` });
    });
  });
}
