import { type JetStreamManager, NatsError } from 'nats';
import { streamOf } from './catalogue/streams.ts';

const NO_MESSAGE_FOUND = 10037;

/**
 * @returns the text of the newest stored message of a subject, or null when there is none
 * @throws NatsError when the stream cannot be queried
 */
export async function newestStored(manager: JetStreamManager, subject: string): Promise<string | null> {
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
export async function storedSubjects(manager: JetStreamManager, pattern: string): Promise<string[]> {
  const { state } = await manager.streams.info(streamOf(pattern).name, { subjects_filter: pattern });
  return Object.keys(state.subjects ?? {});
}
