import { Badge, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { serverNow } from '../../../api/browser.ts';
import { useCan, useMe } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { HeldRows } from '../../../ui/lists/held-rows.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { RightsInWords } from '../access/rights-in-words.tsx';
import { PeopleTabs } from '../parts/people-tabs.tsx';
import { type ApiKey, apiKeysQuery, CHANGES, deleteApiKey, personQuery } from '../queries.ts';
import '../words.ts';

/** Loaded with the first opening. */
const KeyDialog = lazyPart(async () => ({ default: (await import('../keys/key-dialog.tsx')).KeyDialog }));

const KeyPolicyPanel = lazyPart(async () => ({ default: (await import('../keys/key-policy.tsx')).KeyPolicyPanel }));

/** The person whose rights bound the key. */
function Maker({ id }: { readonly id: string }) {
  const words = useTranslations('people');
  const { user } = useMe();
  const isOwn = user.id === id;
  const enabled = useCan()('GET /users/{id}') && !isOwn;
  const person = useQuery({ ...personQuery(id), enabled }).data;
  if (isOwn) return words('you');
  return person ? (
    <Link to="/people/$userId" params={{ userId: id }}>
      {person.name}
    </Link>
  ) : (
    words('another')
  );
}

function Expires({ apiKey: { expiresAt: at, suspended } }: { readonly apiKey: ApiKey }) {
  const words = useTranslations('ui');
  const peopleWords = useTranslations('people');
  if (suspended)
    return (
      <Badge color="orange" data-status>
        {peopleWords('keySuspended')}
      </Badge>
    );
  if (at === null) return words('never');
  return Date.parse(at) > serverNow() ? (
    <Instant at={at} />
  ) : (
    <Badge color="red" data-status>
      {words('expired')}
    </Badge>
  );
}

function useColumns(): readonly Column<ApiKey>[] {
  const words = useTranslations('people');
  const uiWords = useTranslations('ui');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ name, providerId }) => (providerId ? words('keyOfProvider', { name }) : name),
    },
    { id: 'hint', header: words('hint'), cell: ({ hint }) => <code>{hint}…</code> },
    {
      id: 'permissions',
      header: words('permissions'),
      cell: ({ permissions }) =>
        permissions.includes('*') ? (
          words('rights.*')
        ) : (
          <details>
            <summary>{words('rightsCount', { count: permissions.length })}</summary>
            <RightsInWords permissions={permissions} />
          </details>
        ),
    },
    { id: 'maker', header: words('maker'), cell: ({ createdBy }) => <Maker id={createdBy} /> },
    {
      id: 'used',
      header: words('lastUsed'),
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Instant at={lastUsedAt} /> : uiWords('never')),
    },
    { id: 'expires', header: words('expires'), cell: (apiKey) => <Expires apiKey={apiKey} /> },
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
          changes={CHANGES}
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
  const [opened, dialog] = useDisclosure(false);
  const columns = useColumns();
  const create = useCan()('POST /api-keys') && <Button onClick={dialog.open}>{words('newKey')}</Button>;
  return (
    <Page title={words('keysTitle')} actions={create}>
      <PeopleTabs />
      <QueryView query={useQuery(apiKeysQuery)}>
        {(keys) =>
          keys.length === 0 ? (
            <EmptyView title={words('noKeys')} text={words('noKeysText')} />
          ) : (
            <HeldRows of="keys" rows={keys} question="">
              {(rows) => <DataTable label={words('keysTitle')} columns={columns} rows={rows} idOf={({ id }) => id} />}
            </HeldRows>
          )
        }
      </QueryView>
      <Suspense fallback={null}>
        <KeyPolicyPanel />
      </Suspense>
      {opened && (
        <Suspense fallback={null}>
          <KeyDialog onClose={dialog.close} />
        </Suspense>
      )}
    </Page>
  );
}
