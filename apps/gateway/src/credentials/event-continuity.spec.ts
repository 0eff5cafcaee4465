import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventContinuity } from './event-continuity.ts';

describe('what was learnt before', () => {
  let connection: Connection;
  let events: EventContinuity;
  beforeEach(async () => {
    jest.useFakeTimers();
    connection = new Connection();
    events = new EventContinuity(connection);
    await connection.reconnect();
  });
  afterEach(() => void jest.useRealTimers());

  it('ATK-14f: stands in for thirty seconds and no longer', () => {
    const at = performance.now();
    jest.advanceTimersByTime(29_999);
    expect(events.maySpeakFor(at)).toBe(true);
    jest.advanceTimersByTime(1);
    expect(events.maySpeakFor(at)).toBe(false);
  });

  it('ATK-14g: stands in only while every event since then has been heard', async () => {
    const before = performance.now();
    jest.advanceTimersByTime(1);
    connection.isConnected = false;
    expect(events.maySpeakFor(before)).toBe(false);
    connection.isConnected = true;
    await connection.reconnect();
    expect([events.maySpeakFor(before), events.maySpeakFor(performance.now())]).toEqual([false, true]);
  });
});

/** The part of the bus that is asked: it is connected, and says when it connects again. */
class Connection {
  isConnected = true;
  readonly listen = (): void => undefined;
  private reconnected: () => void = () => undefined;
  readonly onGap = (listener: () => void): void => void (this.reconnected = listener);
  readonly whenReady = (): Promise<void> => Promise.resolve();
  readonly reconnect = async (): Promise<void> => {
    this.reconnected();
    await Promise.resolve();
  };
}
