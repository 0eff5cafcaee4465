import type { EventEnvelope } from '@gatehouse/contracts-core';
import { DiscardPolicy, type JetStreamManager, NatsError, RetentionPolicy, StorageType, type StreamConfig } from 'nats';
import { mayState } from './traffic.ts';

const VERSION = /\.v\d+$/;

export const hasVersion = (subject: string): boolean => VERSION.test(subject);

/** The subject without its version. */
export const kindOf = (subject: string): string => subject.replace(VERSION, '');

interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeDays: number;
  /** Its part of what the streams may hold together: docs/performance.md says what a device needs. */
  readonly percent: number;
  /** Of one subject the stream keeps so many of the newest messages. */
  readonly maxPerSubject?: number;
}

/** All streams: each service publishes its events in its own. */
export const STREAMS: readonly StreamDefinition[] = [
  { name: 'IDENTITY', subjects: ['identity.>'], maxAgeDays: 14, percent: 3 },
  { name: 'TENANCY', subjects: ['tenancy.>'], maxAgeDays: 14, percent: 5 },
  { name: 'PAM', subjects: ['pam.>', 'approval.>'], maxAgeDays: 14, percent: 42 },
  { name: 'AUDIT', subjects: ['audit.>'], maxAgeDays: 30, percent: 46 },
  // The newest of a chain is read; a chain that grows gets one a minute.
  { name: 'CHECKPOINTS', subjects: ['checkpoint.>'], maxAgeDays: 3650, percent: 4, maxPerSubject: 1_000 },
];

const DAY_NANOSECONDS = 24 * 60 * 60 * 1e9;
/** A relay that publishes again after a crash does so within minutes; the inbox recognises later duplicates. */
const DUPLICATE_WINDOW_NANOSECONDS = 10 * 60 * 1e9;
const STREAM_NOT_FOUND = 10059;
/**
 * Permissions alone do not protect a stream. The broker sends the acknowledgement of a message to the reply subject
 * that its publisher chose. If that is the broker's own API, the acknowledgement reads as a request to purge or to
 * delete a message.
 */
const UNTOUCHABLE = { deny_delete: true, deny_purge: true };

export interface StreamSettings {
  readonly replicas: number;
  /**
   * What all streams may hold together. A stream at its limit refuses events, which wait in the outboxes: the oldest
   * may be one that a consumer has yet to get. Without it the limits stay as they are.
   */
  readonly bytes?: number;
}

const configOf = (
  { name, subjects, maxAgeDays, percent, maxPerSubject }: StreamDefinition,
  settings: StreamSettings,
): Partial<StreamConfig> => ({
  name,
  subjects: [...subjects],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  num_replicas: settings.replicas,
  max_age: maxAgeDays * DAY_NANOSECONDS,
  max_msgs_per_subject: maxPerSubject ?? -1,
  duplicate_window: DUPLICATE_WINDOW_NANOSECONDS,
  ...(settings.bytes && {
    max_bytes: Math.floor((settings.bytes * percent) / 100),
    discard: DiscardPolicy.New,
  }),
  ...UNTOUCHABLE,
});

const isMissing = (error: unknown): boolean =>
  error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND;

const sameSubjects = (a: readonly string[], b: readonly string[]): boolean =>
  [...a].sort().join() === [...b].sort().join();

/** The state of a stream at the broker. */
export interface StreamState {
  readonly name: string;
  readonly subjects: readonly string[];
  /** When the broker created the stream: it holds nothing published before. */
  readonly created: Date;
}

const stateOf = ({ name, subjects }: StreamDefinition, created: string): StreamState => ({
  name,
  subjects,
  created: new Date(created),
});

/** What an update may change, apart from the subjects. */
const UPDATED = ['num_replicas', 'max_msgs_per_subject', 'max_bytes', 'discard', 'deny_purge', 'deny_delete'] as const;

async function ensureStream(manager: JetStreamManager, definition: StreamDefinition, settings: StreamSettings) {
  const { name, subjects } = definition;
  const wanted = configOf(definition, settings);
  try {
    const { config: current } = await manager.streams.info(name);
    const isRight =
      sameSubjects(current.subjects, subjects) &&
      UPDATED.every((key) => wanted[key] === undefined || wanted[key] === current[key]);
    if (!isRight) await manager.streams.update(name, wanted);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add(wanted);
  }
}

/**
 * Creates the missing streams. Only the broker's administrator may do this.
 * @throws NatsError when the limits together are more than the broker may store
 */
export async function ensureStreams(manager: JetStreamManager, settings: StreamSettings): Promise<void> {
  for (const definition of STREAMS) await ensureStream(manager, definition, settings);
}

/**
 * The state of the streams that carry the subjects.
 * @throws NatsError while one is missing
 */
export async function lookAtStreams(manager: JetStreamManager, subjects: readonly string[]): Promise<StreamState[]> {
  const states: StreamState[] = [];
  for (const definition of new Set(subjects.map(streamOf)))
    states.push(stateOf(definition, (await manager.streams.info(definition.name)).created));
  return states;
}

/** The stream that carries a subject. */
export const streamOf = (subject: string): StreamDefinition => {
  const found = STREAMS.find(({ subjects }) => subjects.some((pattern) => subject.startsWith(pattern.slice(0, -1))));
  if (!found) throw new Error(`no stream carries the subject ${subject}`);
  return found;
};

/**
 * The broker lets only the owner of a subject publish on it. This check refuses a message that arrived another way, or
 * that names another subject or source.
 * @param subject on which the message arrived
 * @throws Error when the event names another subject, or a source that does not publish it
 */
export function requireGenuine({ subject: named, source }: EventEnvelope, subject: string): void {
  if (named !== subject) throw new Error('the event names another subject than the one that it came on');
  if (!mayState(source, subject)) throw new Error(`${String(source).slice(0, 50)} is not a source of ${subject}`);
}
