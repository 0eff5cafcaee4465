import { DATABASES } from '@gatehouse/contracts-core';
import { type Command, servicesFor } from './command.ts';

export const republish: Command = {
  name: 'republish',
  does: 'publishes again what was published since a time (--since 2026-11-20T00:00:00Z) and the outboxes still hold, after the broker has lost it; who had an event does nothing',
  options: { since: { type: 'string' }, service: { type: 'string' } },
  run: async (door, { since, service }, say) => {
    if (typeof since !== 'string') throw new Error('--since is needed: a time such as 2026-11-20T00:00:00Z');
    for (const name of servicesFor(service, DATABASES)) {
      const { events } = await door.ask<{ events: number }>(name, 'POST', '/operator/outbox/republish', { since });
      say(`${name}: ${events} events`);
    }
    return 0;
  },
};
