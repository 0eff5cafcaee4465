import { ok } from '@gatehouse/client';
import { type Command, facts, optional, type Result, table, textOption } from '../command.ts';
import { EXIT, UsageError } from '../exit-codes.ts';

const login: Command = {
  name: 'login',
  does: 'signs in and stores the session; prompts for the password unless GATEHOUSE_PASSWORD is set',
  options: { email: textOption, code: textOption, membership: textOption },
  isOpen: true,
  run: async ({ gatehouse, url, terminal }, _, options) => {
    const email = optional(options, 'email') ?? (await terminal.ask('E-mail address'));
    const password = terminal.env['GATEHOUSE_PASSWORD'] || (await terminal.ask('Password', { hidden: true }));
    const result = await gatehouse.signIn({ email, password, membershipId: optional(options, 'membership') });
    if (result.kind === 'second-factor') throw new UsageError('the second factor is required: give --code');
    if (result.kind === 'signed-in')
      return { json: { url, user: result.user }, text: `Signed in to ${url} as ${result.user.email}.` };
    const rows = result.memberships.map(({ id, role, orgName, partnerName }) => [id, role, orgName ?? partnerName]);
    return {
      json: { memberships: result.memberships },
      text: `Choose one with --membership:\n${table(['membership', 'role', 'of'], rows)}`,
      exitCode: EXIT.usage,
    };
  },
};

const logout: Command = {
  name: 'logout',
  does: 'signs out',
  isOpen: true,
  run: async ({ gatehouse }): Promise<Result> => {
    await gatehouse.signOut();
    return { json: { success: true }, text: 'Signed out.' };
  },
};

const whoami: Command = {
  name: 'whoami',
  does: 'shows the signed-in user and the permissions of the session',
  run: async ({ gatehouse, url }) => {
    const me = await ok(gatehouse.GET('/auth/me'));
    const { user, scope, partnerId, orgId, permissions } = me;
    return {
      json: me,
      text: facts([
        ['url', url],
        ['user', user.email],
        ['scope', scope],
        ['partner', partnerId],
        ['organisation', orgId],
        ['permissions', permissions.join(' ')],
        ['second factor', me.mfa.satisfied ? 'proved' : 'not proved'],
      ]),
    };
  },
};

export const SESSION_COMMANDS: readonly Command[] = [login, logout, whoami];
