import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { codeOf, problemOf } from '../../../api/problem.ts';
import { VersionedFormButton } from '../../../ui/conflicts/versioned-form-button.tsx';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { changedValues, type Field, type Values } from '../../../ui/forms/fields.ts';
import { useAct } from '../../../ui/forms/use-act.ts';
import { type Column, DataTable, Pager } from '../../../ui/lists/data-table.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { linesOf } from '../model.ts';
import {
  createSignerGroup,
  deleteSignerGroup,
  readSignerGroup,
  type SignerGroup,
  signerGroupsQuery,
  updateSignerGroup,
} from '../queries.ts';

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
  return (
    <FormButton
      label={words('new')}
      needs="POST /pam/signer-groups"
      fields={useFields()}
      changes={CHANGES}
      act={({ name, description, signers }) =>
        createSignerGroup(owner, {
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
  return (
    <VersionedFormButton
      label={words('edit')}
      title={words('editTitle', { name: group.name })}
      size="xs"
      variant="default"
      needs="PATCH /pam/signer-groups/{id}"
      fields={useFields()}
      stored={group}
      valuesOf={valuesOf}
      read={() => readSignerGroup(group)}
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
      <Dialog title={words('deleteTitle', { name: group.name })} opened={opened} onClose={dialog.close}>
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
  return (
    <QueryView query={useQuery(signerGroupsQuery(owner, page))}>
      {({ signerGroups, pagination }) =>
        signerGroups.length === 0 ? (
          <EmptyView title={words('none')} text={words('noneText')} />
        ) : (
          <>
            <DataTable label={words('title')} columns={columns} rows={signerGroups} idOf={({ id }) => id} />
            {pagination && <Pager {...{ pagination, onPage }} />}
          </>
        )
      }
    </QueryView>
  );
}
