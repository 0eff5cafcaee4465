import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues } from '../../../ui/forms/fields.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Facts } from '../../../ui/text/facts.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { entryOf, MATCHES, withElement } from '../model.ts';
import { useEntryFields } from '../parts/entry-fields.ts';
import { CHANGES, deletePolicy, type Entry, MODES, type Policy, policyQuery, updatePolicy } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/rules/software-policies/$policyId');
const PATCH = 'PATCH /pam/software-policies/{id}';
const VALUE_LENGTH = 60;

function EditButton({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  const { name, mode, priority, enabled } = policy;
  const initial = { name, mode, priority, enabled };
  return (
    <FormButton
      label={words('edit')}
      variant="default"
      needs={PATCH}
      fields={[
        { name: 'name', label: words('name'), required: true, ...inputLimits(PATCH, 'name') },
        {
          name: 'mode',
          label: words('mode'),
          kind: 'choice',
          required: true,
          choices: MODES.map((value) => ({ value, label: words(`modes.${value}`) })),
        },
        { name: 'priority', label: words('priority'), kind: 'number', required: true },
        { name: 'enabled', label: words('enabled'), kind: 'switch' },
      ]}
      initial={initial}
      changes={CHANGES}
      act={(values) => updatePolicy(policy, changedValues(initial, values))}
    />
  );
}

function DeleteButton({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  const navigate = route.useNavigate();
  const search = route.useSearch();
  return (
    <ConfirmButton
      label={words('delete')}
      title={words('deleteTitle', { name: policy.name })}
      needs="DELETE /pam/software-policies/{id}"
      name={policy.name}
      changes={[]}
      act={() => deletePolicy(policy)}
      onDone={() => void navigate({ to: '/rules/software-policies', search })}
    >
      {words('deleteText')}
    </ConfirmButton>
  );
}

function AddButton({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  return (
    <FormButton
      label={words('add')}
      text={words('addText')}
      needs={PATCH}
      fields={useEntryFields()}
      changes={CHANGES}
      act={(values) => updatePolicy(policy, { rules: [...policy.rules, entryOf(values)] })}
    />
  );
}

function EntryActs({ policy, at }: { readonly policy: Policy; readonly at: number }) {
  const words = useTranslations('softwarePolicies');
  const fields = useEntryFields();
  const entry = policy.rules[at];
  if (!entry) return null;
  const { name, ...matches } = entry;
  const texts = MATCHES.map((match) => [match, matches[match] ?? ''] as const);
  const shared = { size: 'xs', needs: PATCH, changes: CHANGES } as const;
  return (
    <Group gap="xs">
      <FormButton
        {...shared}
        label={words('edit')}
        title={words('editEntry', { name })}
        variant="default"
        fields={fields}
        initial={{ name, ...Object.fromEntries(texts) }}
        act={(values) => updatePolicy(policy, { rules: withElement(policy.rules, at, entryOf(values)) })}
      />
      <ConfirmButton
        {...shared}
        label={words('remove')}
        title={words('removeTitle', { name })}
        act={() => updatePolicy(policy, { rules: withElement(policy.rules, at) })}
      >
        {words('removeText')}
      </ConfirmButton>
    </Group>
  );
}

type Row = Entry & { readonly at: number };

function Entries({ policy }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  const uiWords = useTranslations('ui');
  const columns: readonly Column<Row>[] = [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    ...MATCHES.map((match) => ({
      id: match,
      header: words(`matches.${match}`),
      cell: (row: Row) => row[match] && <SafeText value={row[match]} path={match === 'pathGlob'} most={VALUE_LENGTH} />,
    })),
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      cell: ({ at }) => <EntryActs key={policy.version} policy={policy} at={at} />,
    },
  ];
  const rows = policy.rules.map((entry, at) => ({ ...entry, at }));
  if (rows.length === 0) return <EmptyView title={words('noEntry')} text={words('addText')} />;
  return <DataTable label={words('entries')} columns={columns} rows={rows} idOf={({ at }) => String(at)} />;
}

function PolicyFacts({ policy: { mode, target, priority, enabled } }: { readonly policy: Policy }) {
  const words = useTranslations('softwarePolicies');
  return (
    <Facts
      facts={[
        { name: words('mode'), value: words(`modes.${mode}`) },
        { name: words('target'), value: words(`levels.${target.level}`) },
        { name: words('priority'), value: priority },
        { name: words('state'), value: words(enabled ? 'on' : 'off') },
      ]}
    />
  );
}

/** One software policy with its entries. */
export function PolicyPage() {
  const { policyId } = route.useParams();
  return (
    <QueryView query={useQuery(policyQuery(policyId))}>
      {(policy) => (
        <Page
          title={policy.name}
          actions={
            <>
              <AddButton key={`add${policy.version}`} policy={policy} />
              <EditButton key={`edit${policy.version}`} policy={policy} />
              <DeleteButton policy={policy} />
            </>
          }
        >
          <PolicyFacts policy={policy} />
          <Entries policy={policy} />
        </Page>
      )}
    </QueryView>
  );
}
