import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

export type SignerGroup = DataOf<'/pam/signer-groups', 'get'>['signerGroups'][number];
/** The id of the organisation whose groups they are; null for those of the partner. */
type Owner = SignerGroup['orgId'];
const PAGE_LENGTH = 50;

const listOf = (owner: Owner) => (owner === null ? { scope: 'partner' as const } : { orgId: owner });

export const signerGroupsQuery = (owner: Owner, page = 1) =>
  queryOptions({
    queryKey: ['signer-groups', 'page', owner, page],
    queryFn: ({ signal }) => {
      const query = { ...listOf(owner), page, limit: PAGE_LENGTH };
      return ok(api.GET('/pam/signer-groups', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

const LARGEST_PAGE = 100;

/** One group as it is stored now. The API reads groups in pages only. @throws Error when it was deleted */
export async function readSignerGroup({ id, orgId }: SignerGroup): Promise<SignerGroup> {
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const query = { ...listOf(orgId), page, limit: LARGEST_PAGE };
    const { signerGroups } = await ok(api.GET('/pam/signer-groups', { params: { query } }));
    const found = signerGroups.find((group) => group.id === id);
    if (found) return found;
    isLast = signerGroups.length < LARGEST_PAGE;
  }
  throw new Error('The signer group was deleted.');
}

type NewSignerGroup = Omit<BodyOf<'/pam/signer-groups', 'post'>, 'orgId' | 'ownerScope'>;

export const createSignerGroup = (owner: Owner, group: NewSignerGroup) => {
  const place = owner === null ? { ownerScope: 'partner' as const } : { orgId: owner };
  return ok(api.POST('/pam/signer-groups', { body: { ...group, ...place } }));
};

/** The version that was read goes along: a change made in between is not overwritten. */
const parametersOf = ({ id, orgId, version }: SignerGroup) => ({
  path: { id },
  query: orgId === null ? {} : { orgId },
  header: { 'If-Match': `"${version}"` },
});

export const updateSignerGroup = (group: SignerGroup, body: BodyOf<'/pam/signer-groups/{id}', 'patch'>) =>
  ok(api.PATCH('/pam/signer-groups/{id}', { params: parametersOf(group), body }));

export const deleteSignerGroup = (group: SignerGroup) =>
  ok(api.DELETE('/pam/signer-groups/{id}', { params: parametersOf(group) }));
