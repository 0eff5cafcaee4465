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

export const admitAdministrator: Command = {
  name: 'admit administrator',
  does: 'has a new administrator of the system invited by mail (--email, --name), when no other can sign in; the address must have no account',
  options: { email: { type: 'string' }, name: { type: 'string' } },
  run: async (door, { email, name }, say) => {
    if (typeof email !== 'string' || typeof name !== 'string') throw new Error('--email and --name are needed');
    say(JSON.stringify(await door.ask('identity', 'POST', '/administrators', { email, name })));
    return 0;
  },
};

/** A command that is one request to one service. */
const asking = (name: string, does: string, service: string, path: string): Command => ({
  name,
  does,
  run: async (door, _, say) => {
    say(JSON.stringify(await door.ask(service, 'POST', path)));
    return 0;
  },
});

const rotateSigningKey: Command = {
  name: 'rotate signing-key',
  does: 'signs access tokens with the next key from now on; the present one verifies until its tokens have run out. --emergency: no token of any present key is good any more, refreshing gives new ones',
  options: { emergency: { type: 'boolean' } },
  run: async (door, { emergency = false }, say) => {
    say(JSON.stringify(await door.ask('identity', 'POST', '/signing-keys/rotate', { emergency })));
    return 0;
  },
};

interface AddressSpellings {
  readonly address: string;
  readonly accounts: readonly { readonly id: string; readonly email: string }[];
}

const listAddresses: Command = {
  name: 'addresses list',
  does: 'names the accounts whose mail domain is stored in another spelling than its A-labels, and those that share an address so; it changes nothing',
  run: async (door, _, say) => {
    const { data } = await door.ask<{ data: AddressSpellings[] }>('identity', 'GET', '/address-spellings');
    for (const { address, accounts } of data)
      for (const { id, email } of accounts) say([address, id, email].join('  '));
    say(`${data.length} addresses`);
    return 0;
  },
};

export const SIMPLE_COMMANDS: readonly Command[] = [
  asking(
    'rebuild tenancy',
    'states every partner, organisation, site and device again, for the copies that other services keep',
    'tenancy',
    '/tenancy/announcements',
  ),
  asking('rebuild identity', "states every person's reach again", 'identity', '/technicians/replay'),
  rotateSigningKey,
  listAddresses,
  asking(
    'rotate checkpoint-key',
    'signs checkpoints of the audit log with a new key; what the former ones signed stays verifiable',
    'audit',
    '/checkpoint-keys/rotate',
  ),
];
