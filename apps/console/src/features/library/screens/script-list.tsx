import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { changedValues, type Field } from '../../../ui/forms/fields.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { ListView } from '../../../ui/lists/list-view.tsx';
import { usePartnerColumn } from '../../../ui/lists/partner-column.ts';
import { PlaceName } from '../../../ui/place/place-name.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import {
  ACCOUNTS,
  createScript,
  deleteScript,
  LANGUAGES,
  type NewScript,
  type Script,
  scriptsQuery,
  updateScript,
} from '../queries.ts';
import { ImportLink, LibraryPage, useOwnerFields } from '../parts/library-page.tsx';

const route = getRouteApi('/library/scripts');
const CREATE = 'POST /scripts';
const CHANGES = ['library'];

function useFields(stored = 'powershell'): readonly Field[] {
  const words = useTranslations('library');
  const accounts = ACCOUNTS.map((value) => ({ value, label: words(`accounts.${value}`) }));
  const languages = Object.entries({ [stored]: stored, ...LANGUAGES }).map(([value, label]) => ({ value, label }));
  return [
    { name: 'name', label: words('name'), ...inputLimits(CREATE, 'name') },
    { name: 'description', label: words('description'), ...inputLimits(CREATE, 'description') },
    { name: 'category', label: words('category'), ...inputLimits(CREATE, 'category') },
    { name: 'language', label: words('language'), kind: 'choice', choices: languages, required: true },
    { name: 'runAs', label: words('runAs'), kind: 'choice', choices: accounts, required: true },
    { name: 'content', label: words('content'), kind: 'area', ...inputLimits(CREATE, 'content') },
  ];
}

function NewButton() {
  const words = useTranslations('library');
  const { fields, owner, owned } = useOwnerFields('availability');
  return (
    <FormButton
      label={words('newScript')}
      needs={CREATE}
      orgId={null}
      action="create"
      fields={[...useFields(), ...fields]}
      initial={{ language: 'powershell', runAs: 'system', availability: owner }}
      changes={CHANGES}
      act={(values) => createScript(owned(values) as Partial<NewScript> as NewScript)}
    />
  );
}

function RowActions({ script }: { readonly script: Script }) {
  const words = useTranslations('library');
  const { id, name, description, category, language, runAs, content } = script;
  const initial = { name, description: description ?? '', category: category ?? '', language, runAs, content };
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        key={script.updatedAt}
        label={words('edit')}
        title={words('editTitle', { name })}
        orgId={script.orgId}
        size="xs"
        variant="default"
        needs="PATCH /scripts/{id}"
        fields={useFields(language)}
        initial={initial}
        changes={CHANGES}
        act={(values) => updateScript(id, changedValues(initial, values))}
      />
      <ConfirmButton
        label={words('delete')}
        title={words('deleteTitle', { name })}
        size="xs"
        needs="DELETE /scripts/{id}"
        changes={CHANGES}
        orgId={script.orgId}
        act={() => deleteScript(id)}
      >
        {words('deleteScriptText')}
      </ConfirmButton>
    </Group>
  );
}

function useColumns(scripts: readonly Script[]): readonly Column<Script>[] {
  const words = useTranslations('library');
  const uiWords = useTranslations('ui');
  return [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    { id: 'category', header: words('category'), cell: ({ category }) => category },
    { id: 'language', header: words('language'), cell: ({ language }) => LANGUAGES[language] ?? language },
    {
      id: 'owner',
      header: words('owner'),
      cell: ({ availability, orgId }) =>
        orgId ? <PlaceName level="organization" id={orgId} /> : words(`owners.${availability}`),
    },
    ...usePartnerColumn(scripts),
    { id: 'changed', header: words('changed'), cell: ({ updatedAt }) => <Instant at={updatedAt} /> },
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      needs: 'DELETE /scripts/{id}',
      cell: (script) => <RowActions script={script} />,
    },
  ];
}

/** The scripts of the library. */
export function ScriptList() {
  const words = useTranslations('library');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(scriptsQuery(useOrg(), search.page));
  const columns = useColumns(query.data?.data ?? []);
  return (
    <LibraryPage
      title={words('scripts')}
      actions={
        <>
          <ImportLink to="/library/scripts/import" label={words('imports.import')} needs="POST /scripts/import" />
          <NewButton />
        </>
      }
    >
      <ListView
        query={query}
        rows={({ data }) => data}
        empty={{ title: words('noScripts'), text: words('noScriptsText') }}
        onPage={(page) => void navigate({ search: { ...search, page } })}
      >
        {(data) => <DataTable label={words('scripts')} columns={columns} rows={data} idOf={({ id }) => id} />}
      </ListView>
    </LibraryPage>
  );
}
