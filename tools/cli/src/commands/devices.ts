import { type DataOf, ok } from '@gatehouse/client';
import { type Command, facts, oneOf, optional, required, table, textOption, wholeNumber } from '../command.ts';

const STATUSES = ['online', 'offline', 'maintenance', 'awaiting_confirmation', 'decommissioned'] as const;

const issued = (key: DataOf<'/enrollment-keys', 'post'>): string =>
  facts([
    ['id', key.id],
    ['key, shown once', key.key],
    ['expires', key.expiresAt],
  ]);

const list: Command = {
  name: 'keys list',
  does: 'lists enrolment keys',
  options: { org: textOption, page: textOption, limit: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = {
      orgId: optional(options, 'org'),
      page: wholeNumber(options, 'page'),
      limit: wholeNumber(options, 'limit'),
    };
    const answer = await ok(gatehouse.GET('/enrollment-keys', { params: { query } }));
    const rows = answer.data.map((key) => [key.id, key.name, key.orgId, key.usageCount, key.maxUsage, key.expiresAt]);
    const text = table(['id', 'name', 'organisation', 'used', 'at most', 'expires'], rows);
    return { json: answer, text: `${text}\n${answer.data.length} of ${answer.pagination.total}` };
  },
};

const create: Command = {
  name: 'keys create',
  does: 'creates an enrolment key and shows it once',
  options: { org: textOption, site: textOption, name: textOption, 'max-usage': textOption, minutes: textOption },
  run: async ({ gatehouse }, _, options) => {
    const body = {
      orgId: required(options, 'org'),
      siteId: optional(options, 'site'),
      name: required(options, 'name'),
      maxUsage: wholeNumber(options, 'max-usage'),
      ttlMinutes: wholeNumber(options, 'minutes'),
    };
    const answer = await ok(gatehouse.POST('/enrollment-keys', { body }));
    return { json: answer, text: issued(answer) };
  },
};

const rotate: Command = {
  name: 'keys rotate',
  does: 'replaces an enrolment key and shows the new one once',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.POST('/enrollment-keys/{id}/rotate', { params: { path: { id } } }));
    return { json: answer, text: issued(answer) };
  },
};

const remove: Command = {
  name: 'keys delete',
  does: 'deletes an enrolment key',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.DELETE('/enrollment-keys/{id}', { params: { path: { id } } }));
    return { json: answer, text: `${id} has been deleted.` };
  },
};

const devices: Command = {
  name: 'devices list',
  does: 'lists devices; --status awaiting_confirmation lists those whose return is to be confirmed',
  options: { org: textOption, status: textOption, search: textOption, page: textOption, limit: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = {
      orgId: optional(options, 'org'),
      status: oneOf(options, 'status', STATUSES),
      search: optional(options, 'search'),
      page: wholeNumber(options, 'page'),
      limit: wholeNumber(options, 'limit'),
    };
    const answer = await ok(gatehouse.GET('/devices', { params: { query } }));
    const rows = answer.data.map((device) => [
      device.id,
      device.hostname,
      device.orgId,
      device.status,
      device.returnsAs,
    ]);
    const text = table(['id', 'host name', 'organisation', 'status', 'returns as'], rows);
    return { json: answer, text: `${text}\n${answer.data.length} of ${answer.pagination.total}` };
  },
};

const confirmReturn: Command = {
  name: 'devices return confirm',
  does: 'confirms the return of a device that enrolled again',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.POST('/devices/{id}/return/confirm', { params: { path: { id } } }));
    return { json: answer, text: `${answer.hostname} is device ${answer.id} again.` };
  },
};

const refuseReturn: Command = {
  name: 'devices return refuse',
  does: 'refuses the return of a device and decommissions the machine',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.POST('/devices/{id}/return/refuse', { params: { path: { id } } }));
    return { json: answer, text: `${id} has been refused and decommissioned.` };
  },
};

export const KEY_COMMANDS: readonly Command[] = [list, create, rotate, remove];
export const DEVICE_COMMANDS: readonly Command[] = [devices, confirmReturn, refuseReturn];
