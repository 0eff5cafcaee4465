import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** A signer group of one organisation. */
export type SignerGroup = DataOf<'/pam/signer-groups', 'get'>['signerGroups'][number] & { readonly orgId: string };
const PAGE_LENGTH = 50;

export const signerGroupsQuery = (orgId: string, page = 1) =>
  queryOptions({
    queryKey: ['signer-groups', 'page', orgId, page],
    queryFn: async ({ signal }) => {
      const query = { orgId, page, limit: PAGE_LENGTH };
      const answer = await ok(api.GET('/pam/signer-groups', { params: { query }, signal }));
      return { ...answer, signerGroups: answer.signerGroups.map((group): SignerGroup => ({ ...group, orgId })) };
    },
    placeholderData: keepPreviousData,
  });

const LARGEST_PAGE = 100;

/** One group as it is stored now. The API reads groups in pages only. @throws Error when it was deleted */
export async function readSignerGroup({ id, orgId }: SignerGroup): Promise<SignerGroup> {
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const query = { orgId, page, limit: LARGEST_PAGE };
    const { signerGroups } = await ok(api.GET('/pam/signer-groups', { params: { query } }));
    const found = signerGroups.find((group) => group.id === id);
    if (found) return { ...found, orgId };
    isLast = signerGroups.length < LARGEST_PAGE;
  }
  throw new Error('The signer group was deleted.');
}

export const createSignerGroup = (body: BodyOf<'/pam/signer-groups', 'post'>) =>
  ok(api.POST('/pam/signer-groups', { body }));

/** The version that was read goes along: a change made in between is not overwritten. */
const parametersOf = ({ id, orgId, version }: SignerGroup) => ({
  path: { id },
  query: { orgId },
  header: { 'If-Match': `"${version}"` },
});

export const updateSignerGroup = (group: SignerGroup, body: BodyOf<'/pam/signer-groups/{id}', 'patch'>) =>
  ok(api.PATCH('/pam/signer-groups/{id}', { params: parametersOf(group), body }));

export const deleteSignerGroup = (group: SignerGroup) =>
  ok(api.DELETE('/pam/signer-groups/{id}', { params: parametersOf(group) }));
