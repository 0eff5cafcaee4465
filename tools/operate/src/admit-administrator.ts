import type { Command } from './command.ts';

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
