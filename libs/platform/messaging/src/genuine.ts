import type { EventEnvelope } from '@gatehouse/contracts-core';
import { mayState } from './traffic.ts';

/**
 * The broker lets only its owner publish a subject; a message that came another way, or says that it did, is not
 * believed.
 * @param subject on which the message arrived
 * @throws Error when the event names another subject, or a source that does not state it
 */
export function requireGenuine({ subject: named, source }: EventEnvelope, subject: string): void {
  if (named !== subject) throw new Error('the event names another subject than the one that it came on');
  if (!mayState(source, subject)) throw new Error(`${String(source).slice(0, 50)} is not a source of ${subject}`);
}
