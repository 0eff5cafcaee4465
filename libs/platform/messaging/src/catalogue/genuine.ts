import type { EventEnvelope } from '@gatehouse/contracts-core';
import { mayState } from './traffic.ts';

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
