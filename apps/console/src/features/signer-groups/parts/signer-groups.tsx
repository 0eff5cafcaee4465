import { type BodyOf, type DataOf, ok } from '@gatehouse/client';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { api, getQuery } from '../../../api/client.ts';
import { inputLimits } from '../../../api/limits.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { codeOf, problemOf } from '../../../api/problem.ts';
import { VersionedFormButton } from '../../../ui/conflicts/versioned-form-button.tsx';
import { FormButton, useAct } from '../../../ui/forms/act-button.tsx';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { changedValues, type Field, type Values } from '../../../ui/forms/fields.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { useChosenPartner } from '../../../ui/use-org.tsx';

/** The lines of a pasted text, trimmed, each once, without empty ones. */
export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

type SignerGroup = DataOf<'/pam/signer-groups', 'get'>['signerGroups'][number];
/** The id of the organisation whose groups they are; null for those of the partner. */
type Owner = SignerGroup['orgId'];
const PAGE_LENGTH = 50;

/** @param partner the one that an operator has chosen */
const listOf = (owner: Owner, partner: string | undefined) =>
  owner === null ? { scope: 'partner' as const, partnerId: partner } : { orgId: owner };

const signerGroupsQuery = (owner: Owner, partner: string | undefined, page = 1) =>
  getQuery('signer-groups', '/pam/signer-groups', {
    query: { ...listOf(owner, partner), page, limit: PAGE_LENGTH },
    placeholderData: keepPreviousData,
  });

const LARGEST_PAGE = 100;

/** One group as it is stored now. The API reads groups in pages only. @throws Error when it was deleted */
async function readSignerGroup({ id, orgId }: SignerGroup, partner: string | undefined): Promise<SignerGroup> {
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const query = { ...listOf(orgId, partner), page, limit: LARGEST_PAGE };
    const { signerGroups } = await ok(api.GET('/pam/signer-groups', { params: { query } }));
    const found = signerGroups.find((group) => group.id === id);
    if (found) return found;
    isLast = signerGroups.length < LARGEST_PAGE;
  }
  throw new Error('The signer group was deleted.');
}

type NewSignerGroup = Omit<BodyOf<'/pam/signer-groups', 'post'>, 'orgId' | 'ownerScope' | 'partnerId'>;

const createSignerGroup = (owner: Owner, partner: string | undefined, group: NewSignerGroup) => {
  const ofPartner = { ownerScope: 'partner' as const, ...(partner && { partnerId: partner }) };
  const place = owner === null ? ofPartner : { orgId: owner };
  return ok(api.POST('/pam/signer-groups', { body: { ...group, ...place } }));
};

/** The version that was read goes along: a change made in between is not overwritten. */
const parametersOf = ({ id, orgId, version }: SignerGroup) => ({
  path: { id },
  query: orgId === null ? {} : { orgId },
  header: { 'If-Match': `"${version}"` },
});

const updateSignerGroup = (group: SignerGroup, body: BodyOf<'/pam/signer-groups/{id}', 'patch'>) =>
  ok(api.PATCH('/pam/signer-groups/{id}', { params: parametersOf(group), body }));

const deleteSignerGroup = (group: SignerGroup) =>
  ok(api.DELETE('/pam/signer-groups/{id}', { params: parametersOf(group) }));

const CHANGES = ['signer-groups', 'rules'];
const SHOWN = 5;
const NAME_LENGTH = 60;

function useFields(): readonly Field[] {
  const words = useTranslations('signerGroups');
  return [
    { name: 'name', label: words('name'), ...inputLimits('POST /pam/signer-groups', 'name') },
    { name: 'description', label: words('description'), ...inputLimits('POST /pam/signer-groups', 'description') },
    { name: 'signers', label: words('signers'), description: words('signersText'), kind: 'area' },
  ];
}

/** Makes a group. @param owner the id of an organisation; null for the partner */
export function NewGroupButton({ owner }: { readonly owner: SignerGroup['orgId'] }) {
  const words = useTranslations('signerGroups');
  const partner = useChosenPartner();
  return (
    <FormButton
      label={words('new')}
      needs="POST /pam/signer-groups"
      action="create"
      fields={useFields()}
      changes={CHANGES}
      act={({ name, description, signers }) =>
        createSignerGroup(owner, partner, {
          name: String(name),
          ...(description && { description: String(description) }),
          signers: linesOf(String(signers ?? '')),
        })
      }
    />
  );
}

const valuesOf = ({ name, description, signers }: SignerGroup): Values => ({
  name,
  description: description ?? '',
  signers: signers.join('\n'),
});

function EditButton({ group }: { readonly group: SignerGroup }) {
  const words = useTranslations('signerGroups');
  const partner = useChosenPartner();
  return (
    <VersionedFormButton
      label={words('edit')}
      name={group.name}
      orgId={group.orgId}
      size="xs"
      variant="default"
      needs="PATCH /pam/signer-groups/{id}"
      audited="pam.signer_group.update"
      fields={useFields()}
      stored={group}
      valuesOf={valuesOf}
      read={() => readSignerGroup(group, partner)}
      save={(stored, values) => {
        const { signers, ...changed } = changedValues(valuesOf(stored), values);
        return updateSignerGroup(stored, {
          ...changed,
          ...(signers !== undefined && { signers: linesOf(String(signers ?? '')) }),
        });
      }}
      changes={CHANGES}
    />
  );
}

/** Why a group cannot be deleted: rules that use it are counted, with the way to them. */
function DeleteRefusal({ error, orgId }: Pick<SignerGroup, 'orgId'> & { readonly error: unknown }) {
  const words = useTranslations('signerGroups');
  if (codeOf(error) !== 'signer_group_in_use') return <Refusal error={error} />;
  return (
    <Alert color="red" variant="light" role="alert">
      {words('inUse', { count: Number(problemOf(error)?.['references'] ?? 1) })}{' '}
      {orgId === null ? (
        <Link to="/rules/partner">{words('toRules')}</Link>
      ) : (
        <Link to="/rules" search={{ org: orgId }}>
          {words('toRules')}
        </Link>
      )}
    </Alert>
  );
}

function DeleteButton({ group }: { readonly group: SignerGroup }) {
  const words = useTranslations('signerGroups');
  const [opened, dialog] = useDisclosure(false);
  const act = useAct(CHANGES, deleteSignerGroup);
  if (!useCan()('DELETE /pam/signer-groups/{id}')) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        {words('delete')}
      </Button>
      <Dialog
        title={words('deleteTitle', { name: group.name })}
        orgId={group.orgId}
        opened={opened}
        onClose={dialog.close}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault();
            act.mutate(group, { onSuccess: dialog.close });
          }}
        >
          <Stack>
            <Text size="sm">{words('deleteText')}</Text>
            <DeleteRefusal error={act.error} orgId={group.orgId} />
            <FormActions label={words('delete')} color="red" saving={act.isPending} onCancel={dialog.close} />
          </Stack>
        </form>
      </Dialog>
    </>
  );
}

function Signers({ signers }: Pick<SignerGroup, 'signers'>) {
  const words = useTranslations('signerGroups');
  return (
    <Stack gap={2} align="flex-start">
      {signers.slice(0, SHOWN).map((signer) => (
        <SafeText key={signer} value={signer} most={NAME_LENGTH} />
      ))}
      {signers.length > SHOWN && <Text size="sm">{words('more', { count: signers.length - SHOWN })}</Text>}
    </Stack>
  );
}

/** What can be done about groups: only people with rights for the whole partner change those of the partner. */
function useActs(owner: SignerGroup['orgId']): readonly Column<SignerGroup>[] {
  const uiWords = useTranslations('ui');
  const { partnerWidePolicyRights } = useMe();
  if (owner === null && !partnerWidePolicyRights) return [];
  return [
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      needs: 'PATCH /pam/signer-groups/{id}',
      cell: (group) => (
        <Group gap="xs">
          <EditButton group={group} />
          <DeleteButton group={group} />
        </Group>
      ),
    },
  ];
}

function useColumns(owner: SignerGroup['orgId']): readonly Column<SignerGroup>[] {
  const words = useTranslations('signerGroups');
  const acts = useActs(owner);
  return [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    { id: 'description', header: words('description'), cell: ({ description }) => description },
    { id: 'signers', header: words('signers'), cell: ({ signers }) => <Signers signers={signers} /> },
    ...acts,
  ];
}

interface GroupsProps {
  /** The id of the organisation whose groups they are; null for those of the partner. */
  readonly owner: SignerGroup['orgId'];
  readonly page: number | undefined;
  readonly onPage: (page: number) => void;
}

/** A page of the signer groups of one owner. */
export function SignerGroups({ owner, page, onPage }: GroupsProps) {
  const words = useTranslations('signerGroups');
  const columns = useColumns(owner);
  const partner = useChosenPartner();
  const query = useQuery(signerGroupsQuery(owner, partner, page));
  return (
    <ListView
      query={query}
      rows={({ signerGroups }) => signerGroups}
      empty={{ title: words('none'), text: words('noneText') }}
      onPage={onPage}
      held={{ of: 'signerGroups', question: JSON.stringify([owner, partner, page, query.isPlaceholderData]) }}
    >
      {(rows) => <DataTable label={words('title')} columns={columns} rows={rows} idOf={({ id }) => id} />}
    </ListView>
  );
}
