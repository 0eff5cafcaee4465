import type { EventEnvelope } from '@gatehouse/contracts-core';
import type { Tx } from '@gatehouse/database';
import { describe, expect, it } from '@jest/globals';
import { ConsumesAll, onePerSubject, subscriptionsOf } from './consumes.ts';

describe('what a service consumes', () => {
  it('reaches every method that asks for it, in their order', async () => {
    const merged = onePerSubject([new First(), new Second()].flatMap(subscriptionsOf));
    expect(merged.map(({ subject }) => subject)).toEqual(['thing.>', 'other.>']);
    await merged[0]?.apply({} as Tx, [{}, {}] as EventEnvelope[]);
    expect(heard).toEqual(['first 2', 'second 2']);
  });
});

const heard: string[] = [];

class First {
  @ConsumesAll('thing.>')
  async hear(_: Tx, events: EventEnvelope[]): Promise<void> {
    heard.push(`first ${events.length}`);
  }
}

class Second {
  @ConsumesAll('thing.>')
  async hear(_: Tx, events: EventEnvelope[]): Promise<void> {
    heard.push(`second ${events.length}`);
  }

  @ConsumesAll('other.>')
  async listen(_: Tx, __: EventEnvelope[]): Promise<void> {
    heard.push('other');
  }
}
