import { type DataOf, ok } from '@gatehouse/client';
import { type Command, flag, oneOf, optional, required, table, textOption } from '../command.ts';

type Freeze = DataOf<'/pam/freezes', 'get'>['freezes'][number];

const LEVELS = ['device', 'site', 'organization', 'partner'] as const;
const MODES = ['hold', 'lockdown'] as const;

const stateOf = ({ liftedAt, expiresAt }: Freeze): string => {
  if (liftedAt !== null) return `lifted ${liftedAt}`;
  if (expiresAt === null) return 'in force';
  return Date.parse(expiresAt) > Date.now() ? `until ${expiresAt}` : `expired ${expiresAt}`;
};

const tableOf = (freezes: readonly Freeze[]): string =>
  table(
    ['id', 'level', 'target', 'mode', 'state', 'windows ended', 'by', 'reason'],
    freezes.map((freeze) => [
      freeze.id,
      freeze.level,
      freeze.targetName ?? freeze.targetId,
      freeze.mode,
      stateOf(freeze),
      `${freeze.progress.revoked}${freeze.progress.done ? '' : ' so far'}`,
      freeze.createdByName,
      freeze.reason,
    ]),
  );

const list: Command = {
  name: 'freeze list',
  does: 'lists emergency freezes, newest first',
  options: { active: flag, org: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = { ...(options['active'] === true && { active: 'true' as const }), orgId: optional(options, 'org') };
    const answer = await ok(gatehouse.GET('/pam/freezes', { params: { query } }));
    return { json: answer, text: tableOf(answer.freezes) };
  },
};

const lift: Command = {
  name: 'freeze lift',
  does: 'lifts an emergency freeze',
  takes: ['id'],
  options: { reason: textOption },
  run: async ({ gatehouse }, [id = ''], options) => {
    const body = { reason: required(options, 'reason') };
    const answer = await ok(gatehouse.POST('/pam/freezes/{id}/lift', { params: { path: { id } }, body }));
    return { json: answer, text: `${answer.freeze.id} has been lifted.` };
  },
};

const create: Command = {
  name: 'freeze',
  does: 'freezes a device, a site, an organisation or a partner: stops grants and ends active elevations',
  takes: ['level', 'id'],
  options: {
    reason: textOption,
    mode: textOption,
    until: textOption,
    'keep-windows': flag,
  },
  run: async ({ gatehouse }, [level = '', targetId = ''], options) => {
    const body = {
      level: oneOf({ level }, 'level', LEVELS) ?? 'device',
      targetId,
      reason: required(options, 'reason'),
      mode: oneOf(options, 'mode', MODES),
      expiresAt: optional(options, 'until'),
      ...(options['keep-windows'] === true && { revokeOpen: false }),
    };
    const answer = await ok(gatehouse.POST('/pam/freezes', { body }));
    return { json: answer, text: tableOf([answer.freeze]) };
  },
};

/** `freeze` alone comes last, because the others begin with its name. */
export const FREEZE_COMMANDS: readonly Command[] = [list, lift, create];
