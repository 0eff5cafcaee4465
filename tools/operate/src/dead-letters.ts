import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { type Command, type Door, type Options, servicesFor } from './command.ts';

interface DeadLetter {
  readonly id: string;
  readonly consumer: string;
  readonly subject: string;
  readonly error: string;
  readonly createdAt: string;
}

interface Replay {
  readonly replayed: boolean;
  readonly reason: string | null;
}

const OPTIONS = {
  service: { type: 'string' },
  consumer: { type: 'string' },
  id: { type: 'string', multiple: true },
} as const;

/** The waiting dead letters that the options select, oldest first. */
async function chosen(
  door: Door,
  { service, consumer, id }: Options,
): Promise<{ service: string; letter: DeadLetter }[]> {
  const found: { service: string; letter: DeadLetter }[] = [];
  for (const name of servicesFor(service, UPSTREAM_NAMES)) {
    const { data } = await door.ask<{ data: DeadLetter[] }>(name, 'GET', '/operator/dead-letters');
    const own = data.filter(
      (letter) =>
        (consumer === undefined || letter.consumer === consumer) && (!Array.isArray(id) || id.includes(letter.id)),
    );
    found.push(...own.map((letter) => ({ service: name, letter })));
  }
  return found;
}

const list: Command = {
  name: 'dead-letters list',
  does: 'names the events that a consumer could not take, and why',
  options: OPTIONS,
  run: async (door, options, say) => {
    const letters = await chosen(door, options);
    for (const { letter } of letters)
      say([letter.id, letter.createdAt, letter.consumer, letter.subject, letter.error].join('  '));
    say(`${letters.length} waiting`);
    return 0;
  },
};

const replay: Command = {
  name: 'dead-letters replay',
  does: 'gives them to their consumers again, once the cause is gone; exit code 2 when one still fails',
  options: OPTIONS,
  run: async (door, options, say) => {
    const letters = await chosen(door, options);
    let failed = 0;
    for (const { service, letter } of letters) {
      const { replayed, reason } = await door.ask<Replay>(
        service,
        'POST',
        `/operator/dead-letters/${letter.id}/replay`,
      );
      say(`${letter.id}  ${letter.consumer}  ${letter.subject}  ${replayed ? 'replayed' : `failed: ${reason ?? ''}`}`);
      if (!replayed) failed++;
    }
    say(`${letters.length - failed} replayed, ${failed} failed`);
    return failed === 0 ? 0 : 2;
  },
};

export const DEAD_LETTER_COMMANDS: readonly Command[] = [list, replay];
