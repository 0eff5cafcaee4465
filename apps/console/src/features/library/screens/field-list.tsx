import { Group, Text } from '@mantine/core';
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
import { useOrg } from '../../../ui/use-org.tsx';
import {
  createField,
  type CustomField,
  deleteField,
  fieldsQuery,
  linesOf,
  type NewCustomField,
  TYPES,
  updateField,
} from '../queries.ts';
import { ImportLink, LibraryPage, useOwnerFields } from '../parts/library-page.tsx';

const route = getRouteApi('/library/custom-fields');
const CREATE = 'POST /custom-fields';
const CHANGES = ['library', 'devices'];

function NewButton() {
  const words = useTranslations('library');
  const { fields: owners, owner, owned } = useOwnerFields('ownerScope');
  const fields: readonly Field[] = [
    { name: 'name', label: words('name'), ...inputLimits(CREATE, 'name') },
    { name: 'fieldKey', label: words('key'), description: words('keyHint'), ...inputLimits(CREATE, 'fieldKey') },
    {
      name: 'type',
      label: words('type'),
      kind: 'choice',
      choices: TYPES.map((value) => ({ value, label: words(`types.${value}`) })),
      required: true,
    },
    { name: 'options', label: words('options'), kind: 'area', when: ({ type }) => type === 'dropdown' },
    ...owners,
  ];
  return (
    <FormButton
      label={words('newField')}
      needs={CREATE}
      orgId={null}
      action="create"
      fields={fields}
      initial={{ type: 'text', ownerScope: owner }}
      changes={CHANGES}
      act={({ options, ...values }) => {
        const choices = values['type'] === 'dropdown' ? { options: linesOf(options) } : {};
        return createField({ ...owned(values), ...choices } as NewCustomField);
      }}
    />
  );
}

function RowActions({ field }: { readonly field: CustomField }) {
  const words = useTranslations('library');
  const { id, name, type, options } = field;
  const initial = { name, options: options.join('\n') };
  const fields: readonly Field[] = [
    { name: 'name', label: words('name'), required: true, ...inputLimits(CREATE, 'name') },
    { name: 'options', label: words('options'), kind: 'area', when: () => type === 'dropdown' },
  ];
  return (
    <Group gap="xs" wrap="nowrap">
      <FormButton
        key={field.updatedAt}
        label={words('edit')}
        title={words('editTitle', { name })}
        orgId={field.orgId}
        size="xs"
        variant="default"
        needs="PATCH /custom-fields/{id}"
        fields={fields}
        initial={initial}
        changes={CHANGES}
        act={(values) => {
          const { options: choices, ...changed } = changedValues(initial, values);
          return updateField(id, { ...changed, ...(choices !== undefined && { options: linesOf(choices) }) });
        }}
      />
      <ConfirmButton
        label={words('delete')}
        title={words('deleteTitle', { name })}
        size="xs"
        needs="DELETE /custom-fields/{id}"
        name={name}
        changes={CHANGES}
        orgId={field.orgId}
        act={() => deleteField(id)}
      >
        {words('deleteFieldText')}
      </ConfirmButton>
    </Group>
  );
}

function useColumns(customFields: readonly CustomField[]): readonly Column<CustomField>[] {
  const words = useTranslations('library');
  const uiWords = useTranslations('ui');
  return [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    {
      id: 'key',
      header: words('key'),
      cell: ({ fieldKey }) => (
        <Text span size="sm" className="gh-mono">
          {fieldKey}
        </Text>
      ),
    },
    { id: 'type', header: words('type'), cell: ({ type }) => words(`types.${type}`) },
    { id: 'options', header: words('choices'), cell: ({ options }) => options.join(', ') },
    {
      id: 'owner',
      header: words('owner'),
      cell: ({ ownerScope, orgId }) =>
        orgId ? <PlaceName level="organization" id={orgId} /> : words(`owners.${ownerScope}`),
    },
    ...usePartnerColumn(customFields),
    {
      id: 'acts',
      header: uiWords('actions'),
      bare: true,
      needs: 'DELETE /custom-fields/{id}',
      cell: (field) => <RowActions field={field} />,
    },
  ];
}

/** The custom fields of devices. */
export function FieldList() {
  const words = useTranslations('library');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(fieldsQuery(useOrg(), search.page));
  const columns = useColumns(query.data?.data ?? []);
  return (
    <LibraryPage
      title={words('customFields')}
      actions={
        <>
          <ImportLink
            to="/library/custom-fields/import"
            label={words('imports.importFields')}
            needs="POST /custom-fields/import"
          />
          <ImportLink
            to="/library/custom-fields/values"
            label={words('imports.importValues')}
            needs="POST /devices/custom-fields/import"
          />
          <NewButton />
        </>
      }
    >
      <ListView
        query={query}
        rows={({ data }) => data}
        empty={{ title: words('noFields'), text: words('noFieldsText') }}
        onPage={(page) => void navigate({ search: { ...search, page } })}
      >
        {(data) => <DataTable label={words('customFields')} columns={columns} rows={data} idOf={({ id }) => id} />}
      </ListView>
    </LibraryPage>
  );
}
