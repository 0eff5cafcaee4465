import type { Command } from './command.ts';

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
