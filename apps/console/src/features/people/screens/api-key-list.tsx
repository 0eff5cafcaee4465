import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useMe } from '../../../api/me.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type ApiKey, apiKeysQuery, createApiKey, deleteApiKey, type Permission } from '../queries.ts';
import '../words.ts';

const CHOICES: readonly Permission[] = [
  'devices:read',
  'devices:write',
  'devices:execute',
  'organizations:read',
  'sites:read',
  'users:read',
  'audit:read',
  'audit:export',
  'tools:request',
];

function useColumns(): readonly Column<ApiKey>[] {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  return [
    { id: 'name', header: words('name'), cell: ({ name }) => name },
    { id: 'hint', header: words('hint'), cell: ({ hint }) => hint },
    { id: 'permissions', header: words('permissions'), cell: ({ permissions }) => permissions.join(', ') },
    {
      id: 'used',
      header: words('lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : uiWords('never')),
    },
    {
      id: 'expires',
      header: words('expires'),
      cell: ({ expiresAt }) => (expiresAt ? <Instant at={expiresAt} /> : uiWords('never')),
    },
    {
      id: 'acts',
      header: words('acts'),
      bare: true,
      cell: ({ id, name }) => (
        <ConfirmButton
          label={words('deleteKey')}
          title={words('deleteKeyTitle', { name })}
          size="xs"
          needs="DELETE /api-keys/{id}"
          changes={['people']}
          act={() => deleteApiKey(id)}
        >
          {words('deleteKeyText')}
        </ConfirmButton>
      ),
    },
  ];
}

/** The keys of programs. */
export function ApiKeyList() {
  const words = useTranslations('people');
  const { permissions } = useMe();
  const [key, setKey] = useState<string | null>(null);
  const columns = useColumns();
  const mine = CHOICES.filter((one) => permissions.includes('*') || permissions.includes(one));
  const create = (
    <FormButton
      label={words('newKey')}
      needs="POST /api-keys"
      fields={[
        { name: 'name', label: words('name'), ...inputLimits('POST /api-keys', 'name') },
        ...mine.map((one) => ({ name: one, label: one, kind: 'switch' as const })),
      ]}
      changes={['people']}
      act={(values) =>
        createApiKey({ name: String(values['name']), permissions: mine.filter((one) => values[one] === true) })
      }
      onDone={({ data }) => setKey(data.key)}
    />
  );
  return (
    <Page title={words('keysTitle')} actions={create}>
      {key && <SecretOnce label={words('key')} secret={key} />}
      <QueryView query={useQuery(apiKeysQuery)}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyView title={words('noKeys')} text={words('noKeysText')} />
          ) : (
            <DataTable label={words('keysTitle')} columns={columns} rows={keys} idOf={({ id }) => id} />
          )
        }
      </QueryView>
    </Page>
  );
}
