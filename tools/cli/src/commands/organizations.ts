import { type DataOf, ok } from '@gatehouse/client';
import { type Command, facts, optional, required, table, textOption, wholeNumber } from '../command.ts';

type Organization = DataOf<'/orgs/organizations/{id}', 'get'>;

const factsOf = (organization: Organization): string =>
  facts([
    ['id', organization.id],
    ['name', organization.name],
    ['slug', organization.slug],
    ['status', organization.status],
    ['partner', organization.partnerId],
    ['devices at most', organization.maxDevices],
  ]);

const list: Command = {
  name: 'orgs list',
  does: 'lists organisations',
  options: { search: textOption, partner: textOption, page: textOption, limit: textOption },
  run: async ({ gatehouse }, _, options) => {
    const query = {
      search: optional(options, 'search'),
      partnerId: optional(options, 'partner'),
      page: wholeNumber(options, 'page'),
      limit: wholeNumber(options, 'limit'),
    };
    const answer = await ok(gatehouse.GET('/orgs/organizations', { params: { query } }));
    const rows = answer.data.map(({ id, name, slug, status }) => [id, name, slug, status]);
    const text = table(['id', 'name', 'slug', 'status'], rows);
    return { json: answer, text: `${text}\n${answer.data.length} of ${answer.pagination.total}` };
  },
};

const show: Command = {
  name: 'orgs show',
  does: 'shows one organisation',
  takes: ['id'],
  run: async ({ gatehouse }, [id = '']) => {
    const answer = await ok(gatehouse.GET('/orgs/organizations/{id}', { params: { path: { id } } }));
    return { json: answer, text: factsOf(answer) };
  },
};

const create: Command = {
  name: 'orgs create',
  does: 'creates an organisation',
  options: { name: textOption, slug: textOption, partner: textOption },
  run: async ({ gatehouse }, _, options) => {
    const body = {
      name: required(options, 'name'),
      slug: required(options, 'slug'),
      partnerId: optional(options, 'partner'),
    };
    const answer = await ok(gatehouse.POST('/orgs/organizations', { body }));
    return { json: answer, text: factsOf(answer) };
  },
};

export const ORGANIZATION_COMMANDS: readonly Command[] = [list, show, create];
