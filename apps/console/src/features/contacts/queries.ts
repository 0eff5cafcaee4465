import { type BodyOf, ok } from '@gatehouse/client';
import { keepPreviousData } from '@tanstack/react-query';
import { api, getQuery } from '../../api/client.ts';
import { BATCH_LENGTH } from '../../ui/import/batches.ts';
import type { Importer } from '../../ui/import/flow/use-run.ts';
import { type ContactChange, type ContactRow, fresh, type MODES, type ROLES, view, type SORTS } from './model.ts';
import contactsWords from '../../words/en/contacts.json' with { type: 'json' };
import { addWords } from '../../words/index.ts';

addWords({ contacts: contactsWords });

export type NewContact = BodyOf<'/orgs/organizations/{id}/contacts', 'post'>;

const PAGE_LENGTH = 50;

interface ContactFilter {
  readonly site?: string;
  readonly role?: (typeof ROLES)[number];
  readonly sort?: (typeof SORTS)[number];
  readonly page?: number;
}

export const contactsQuery = (orgId: string, { site, role, sort, page }: ContactFilter) => {
  const query = { limit: PAGE_LENGTH, page: page ?? 1, siteId: site, role, sort };
  return getQuery('contacts', '/orgs/organizations/{id}/contacts', {
    path: { id: orgId },
    query,
    placeholderData: keepPreviousData,
  });
};

export const createContact = (orgId: string, body: NewContact) =>
  ok(api.POST('/orgs/organizations/{id}/contacts', { params: { path: { id: orgId } }, body }));

export const updateContact = (id: string, body: ContactChange) =>
  ok(api.PATCH('/orgs/contacts/{id}', { params: { path: { id } }, body }));

export const deleteContact = (id: string) => ok(api.DELETE('/orgs/contacts/{id}', { params: { path: { id } } }));

/** What becomes of contacts that exist already is the mode. */
export const contactImporter = (mode: (typeof MODES)[number]): Importer<ContactRow> => ({
  batchLength: BATCH_LENGTH,
  preview: async (given) => {
    const rows = given.map(fresh);
    const { rows: previewed } = await ok(api.POST('/orgs/contacts/import/preview', { body: { rows, mode } }));
    return previewed.map((one, at) => view(rows[at]!, one));
  },
  send: async (rows) => {
    const body = { rows: [...rows], mode };
    const { imported, updated, skipped, errors } = await ok(api.POST('/orgs/contacts/import', { body }));
    const counts = { imported: imported.length, updated: updated.length, skipped: skipped.length };
    return { counts, errors };
  },
  changes: ['contacts'],
});
