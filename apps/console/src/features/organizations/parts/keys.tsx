import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { Dialog, SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { filledValues, type Values } from '../../../ui/forms/fields.ts';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { createKey, deleteKey, type EnrollmentKey, keysQuery, sitesQuery } from '../queries.ts';

function NewKey({ orgId, onKey }: { readonly orgId: string; readonly onKey: (key: string) => void }) {
  const words = useTranslations('organizations');
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  const choices = sites.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormButton
      label={words('newKey')}
      size="xs"
      needs="POST /enrollment-keys"
      fields={[
        { name: 'name', label: words('name'), ...inputLimits('POST /enrollment-keys', 'name') },
        { name: 'siteId', label: words('keySite'), kind: 'choice', choices },
        { name: 'maxUsage', label: words('maxUsage'), kind: 'number' },
        { name: 'ttlMinutes', label: words('ttl'), kind: 'number' },
      ]}
      changes={['enrollment']}
      act={(values: Values) => createKey({ ...filledValues(values), orgId, name: String(values['name']) })}
      onDone={({ key }) => onKey(key)}
    />
  );
}

interface KeyRowProps {
  readonly item: EnrollmentKey;
  readonly frozen: boolean;
}

function KeyRow({ item: { id, name, usageCount, maxUsage, expiresAt }, frozen }: KeyRowProps) {
  const words = useTranslations('organizations');
  return (
    <ActRow
      act={
        !frozen && (
          <ConfirmButton
            label={words('deleteKey')}
            title={words('deleteKeyTitle', { name })}
            size="xs"
            needs="DELETE /enrollment-keys/{id}"
            changes={['enrollment']}
            act={() => deleteKey(id)}
          >
            {words('deleteKeyText')}
          </ConfirmButton>
        )
      }
    >
      <Text size="sm">
        {name} ·{' '}
        {maxUsage === null
          ? words('usedNoLimit', { used: usageCount })
          : words('used', { used: usageCount, most: maxUsage })}
        {expiresAt && (
          <>
            {' '}
            · {words('expires')} <Instant at={expiresAt} />
          </>
        )}
      </Text>
    </ActRow>
  );
}

/** The keys with which agents enrol in an organisation. */
export function Keys({ orgId, frozen }: { readonly orgId: string; readonly frozen: boolean }) {
  const words = useTranslations('organizations');
  const [key, setKey] = useState<string | null>(null);
  const query = useQuery({ ...keysQuery(orgId), enabled: useCan()('GET /enrollment-keys') });
  if (!query.isEnabled) return null;
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{words('keys')}</Title>
        {!frozen && <NewKey orgId={orgId} onKey={setKey} />}
      </Group>
      <Dialog title={words('key')} opened={key !== null} onClose={() => setKey(null)}>
        {key && <SecretOnce label={words('key')} secret={key} />}
      </Dialog>
      <QueryView query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Text c="dimmed">{words('noKeys')}</Text>
          ) : (
            keys.map((one) => <KeyRow key={one.id} item={one} frozen={frozen} />)
          )
        }
      </QueryView>
    </Stack>
  );
}
