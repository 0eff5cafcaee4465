import { type JetStreamManager, NatsError, RetentionPolicy, StorageType, type StreamConfig } from 'nats';

interface StreamDefinition {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly maxAgeDays: number;
}

/** The one list of streams: each context states its facts in its own. */
export const STREAMS: readonly StreamDefinition[] = [
  { name: 'IDENTITY', subjects: ['identity.>'], maxAgeDays: 14 },
  { name: 'TENANCY', subjects: ['tenancy.>'], maxAgeDays: 14 },
  { name: 'PAM', subjects: ['pam.>', 'approval.>'], maxAgeDays: 14 },
  { name: 'AUDIT', subjects: ['audit.>'], maxAgeDays: 30 },
  { name: 'CHECKPOINTS', subjects: ['checkpoint.>'], maxAgeDays: 3650 },
];

const DAY_NANOSECONDS = 24 * 60 * 60 * 1e9;
/** A relay that repeats itself after a crash does so within minutes; the inbox catches what comes later. */
const DUPLICATE_WINDOW_NANOSECONDS = 10 * 60 * 1e9;
const STREAM_NOT_FOUND = 10059;

const configOf = ({ name, subjects, maxAgeDays }: StreamDefinition, replicas: number): Partial<StreamConfig> => ({
  name,
  subjects: [...subjects],
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  num_replicas: replicas,
  max_age: maxAgeDays * DAY_NANOSECONDS,
  duplicate_window: DUPLICATE_WINDOW_NANOSECONDS,
});

const isMissing = (error: unknown): boolean => error instanceof NatsError && error.api_error?.err_code === STREAM_NOT_FOUND;

const sameSubjects = (a: readonly string[], b: readonly string[]): boolean => [...a].sort().join() === [...b].sort().join();

/** A stream as the broker has it. */
export interface StreamState {
  readonly name: string;
  readonly subjects: readonly string[];
  /** When the broker made it: what was published before is not in it. */
  readonly created: Date;
  /** Made just now. */
  readonly isNew: boolean;
}

async function ensureStream(manager: JetStreamManager, definition: StreamDefinition, replicas: number): Promise<StreamState> {
  const { name, subjects } = definition;
  const config = configOf(definition, replicas);
  try {
    const { config: current, created } = await manager.streams.info(name);
    if (!sameSubjects(current.subjects, subjects) || current.num_replicas !== replicas) await manager.streams.update(name, config);
    return { name, subjects, created: new Date(created), isNew: false };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const { created } = await manager.streams.add(config);
    return { name, subjects, created: new Date(created), isNew: true };
  }
}

/** Makes the streams that are missing. */
export async function ensureStreams(manager: JetStreamManager, replicas: number): Promise<StreamState[]> {
  const states: StreamState[] = [];
  for (const definition of STREAMS) states.push(await ensureStream(manager, definition, replicas));
  return states;
}

/** The stream that carries a subject. */
export const streamOf = (subject: string): StreamDefinition => {
  const found = STREAMS.find(({ subjects }) => subjects.some((pattern) => subject.startsWith(pattern.slice(0, -1))));
  if (!found) throw new Error(`no stream carries the subject ${subject}`);
  return found;
};
