import type { EventEnvelope } from '@gatehouse/contracts-core';
import { type JetStreamManager, NatsError, RetentionPolicy, StorageType, type StreamConfig } from 'nats';
import { mayState } from './traffic.ts';

/** Whether a subject matches a pattern: `>` at the end matches all remaining tokens, `*` matches one. */
export function matchesSubject(pattern: string, subject: string): boolean {
  if (pattern.endsWith('>')) return subject.startsWith(pattern.slice(0, -1));
  if (!pattern.includes('*')) return pattern === subject;
  const tokens = subject.split('.');
  const wanted = pattern.split('.');
  return wanted.length === tokens.length && wanted.every((token, at) => token === '*' || token === tokens[at]);
}

const VERSION = /\.v\d+$/;

export const hasVersion = (subject: string): boolean => VERSION.test(subject);

/** The subject without its version. */
export const kindOf = (subject: string): string => subject.replace(VERSION, '');

interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeDays: number;
}

/** All streams: each service publishes its events in its own. */
export const STREAMS: readonly StreamDefinition[] = [
  { name: 'IDENTITY', subjects: ['identity.>'], maxAgeDays: 14 },
  { name: 'TENANCY', subjects: ['tenancy.>'], maxAgeDays: 14 },
  { name: 'PAM', subjects: ['pam.>', 'approval.>'], maxAgeDays: 14 },
  { name: 'AUDIT', subjects: ['audit.>'], maxAgeDays: 30 },
  { name: 'CHECKPOINTS', subjects: ['checkpoint.>'], maxAgeDays: 3650 },
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

const configOf = ({ name, subjects, maxAgeDays }: StreamDefinition, replicas: number): Partial<StreamConfig> => ({
  name,
  subjects: [...subjects],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  num_replicas: replicas,
  max_age: maxAgeDays * DAY_NANOSECONDS,
  duplicate_window: DUPLICATE_WINDOW_NANOSECONDS,
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

async function ensureStream(manager: JetStreamManager, definition: StreamDefinition, replicas: number): Promise<void> {
  const { name, subjects } = definition;
  const config = configOf(definition, replicas);
  try {
    const { config: current } = await manager.streams.info(name);
    const isRight =
      sameSubjects(current.subjects, subjects) &&
      current.num_replicas === replicas &&
      current.deny_purge &&
      current.deny_delete;
    if (!isRight) await manager.streams.update(name, config);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add(config);
  }
}

/** Creates the missing streams. Only the broker's administrator may do this. */
export async function ensureStreams(manager: JetStreamManager, replicas: number): Promise<void> {
  for (const definition of STREAMS) await ensureStream(manager, definition, replicas);
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
