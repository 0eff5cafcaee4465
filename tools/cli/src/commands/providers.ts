import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { type Command, facts, flag, oneOf, optional, required, table, textOption, wholeNumber } from '../command.ts';

const STAGES = ['off', 'observe', 'warn', 'enforce'] as const;
const PURPOSES = ['configure', 'renew'] as const;
const TYPES = ['oidc', 'saml'] as const;

type Preview = DataOf<'/sso/providers/{id}/enforcement-preview', 'get'>['data'];
type SetupLink = DataOf<'/sso/setup-links', 'get'>['data'][number];

const byId = (id: string) => ({ params: { path: { id } } });

const expiries: Command = {
  name: 'providers expiries',
  does: 'lists certificates and client secrets of identity providers that expire soon',
  options: { org: textOption, days: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = { orgId: optional(options, 'org'), withinDays: wholeNumber(options, 'days') };
    const answer = await ok(gatehouse.GET('/sso/expiries', { params: { query } }));
    const rows = answer.data.map((one) => [one.daysLeft, one.expiresAt, one.kind, one.providerName, one.providerId]);
    return { json: answer, text: table(['days', 'at', 'what', 'provider', 'id'], rows) };
  },
};

/** What enforcement would mean for whom, those who would be stuck first. */
function outlookOf({ stage, enforceAt, summary, users }: Preview): string {
  const head = facts([['stage', stage], ['from', enforceAt], ...Object.entries(summary)]);
  const inOrder = [...users].sort((a, b) => Number(b.outcome === 'stuck') - Number(a.outcome === 'stuck'));
  const rows = inOrder.map(({ email, outcome, reasons }) => [email, outcome, reasons.join(', ')]);
  return `${head}\n\n${table(['address', 'outcome', 'reasons'], rows)}`;
}

const enforcement: Command = {
  name: 'providers enforcement',
  does: 'shows the enforcement stage of a provider and its effect on each user',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.GET('/sso/providers/{id}/enforcement-preview', byId(id)));
    return { json: answer, text: outlookOf(answer.data) };
  },
};

const enforce: Command = {
  name: 'providers enforce',
  does: 'sets the enforcement stage of a provider; --confirm takes the number of users who would be locked out',
  takes: ['id', STAGES.join('|')],
  options: { at: textOption, confirm: textOption, force: flag },
  run: async ({ gatehouse }, [id = '', wanted = ''], options) => {
    const stage = oneOf({ stage: wanted }, 'stage', STAGES) ?? 'off';
    const body = {
      stage,
      enforceAt: stage === 'warn' ? required(options, 'at') : undefined,
      confirmStuck: wholeNumber(options, 'confirm'),
      ...(options['force'] === true && { force: true }),
    };
    const answer = await ok(gatehouse.PUT('/sso/providers/{id}/enforcement', { ...byId(id), body }));
    return { json: answer, text: `${answer.data.name}: ${answer.data.enforcement.stage}` };
  },
};

const rowOf = (link: SetupLink) => [
  link.id,
  link.status,
  link.purpose,
  link.recipientEmail,
  link.expiresAt,
  link.lastOpenedAt,
  link.providerId,
];
const tableOf = (links: readonly SetupLink[]): string =>
  table(['id', 'status', 'purpose', 'recipient', 'ends', 'last opened', 'provider'], links.map(rowOf));

const listLinks: Command = {
  name: 'setup-links list',
  does: 'lists the set-up links of an organisation, or with --partner those of the partner, newest first',
  options: { org: textOption, partner: flag },
  run: async ({ gatehouse }, _, options) => {
    const scope = options['partner'] === true ? ('partner' as const) : undefined;
    const query = { orgId: optional(options, 'org'), scope };
    const answer = await ok(gatehouse.GET('/sso/setup-links', { params: { query } }));
    return { json: answer, text: tableOf(answer.data) };
  },
};

const createLink: Command = {
  name: 'setup-links create',
  does: 'creates a set-up link for a provider, or with --purpose renew a renewal link',
  options: {
    ...{ org: textOption, partner: flag, provider: textOption, purpose: textOption, type: textOption },
    ...{ recipient: textOption, hours: textOption, role: textOption, 'may-activate': flag },
  },
  run: async ({ gatehouse }, _, options) => {
    const body: BodyOf<'/sso/setup-links', 'post'> = {
      orgId: optional(options, 'org'),
      providerId: optional(options, 'provider'),
      purpose: oneOf(options, 'purpose', PURPOSES),
      type: oneOf(options, 'type', TYPES),
      recipientEmail: optional(options, 'recipient'),
      expiresInHours: wholeNumber(options, 'hours'),
      defaultRoleId: optional(options, 'role'),
      ...(options['partner'] === true && { ownerScope: 'partner' }),
      ...(options['may-activate'] === true && { mayActivate: true }),
    };
    const answer = await ok(gatehouse.POST('/sso/setup-links', { body }));
    const { id, url, expiresAt } = answer.data;
    return { json: answer, text: `${url}\n${id}, shown only once, expires ${expiresAt}` };
  },
};

const revokeLink: Command = {
  name: 'setup-links revoke',
  does: 'revokes a set-up link and ends its visits',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.DELETE('/sso/setup-links/{id}', byId(id)));
    return { json: answer, text: `${id} has been revoked.` };
  },
};

export const PROVIDER_COMMANDS: readonly Command[] = [
  expiries,
  enforcement,
  enforce,
  listLinks,
  createLink,
  revokeLink,
];
