import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { Dialog, SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { filledValues, type Values } from '../../../ui/forms/fields.ts';
import { HeldRows } from '../../../ui/lists/held-rows.tsx';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { createKey, deleteKey, type EnrollmentKey, keysQuery, rotateKey } from '../queries.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';

/** How long a key can be used, in minutes. */
const LIFETIMES = ['60', '1440', '10080', '43200', '129600', '525600'] as const;
const USUAL_LIFETIME = '43200';

/** A key that was made or replaced just now: the only moment at which it can be read. */
type IssuedKey = Awaited<ReturnType<typeof createKey>>;

function NewKey({ orgId, onKey }: { readonly orgId: string; readonly onKey: (key: IssuedKey) => void }) {
  const words = useTranslations('organizations');
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  const lifetimes = LIFETIMES.map((value) => ({ value, label: words(`lifetimes.m${value}`) }));
  const choices = sites.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormButton
      label={words('newKey')}
      size="xs"
      needs="POST /enrollment-keys"
      action="create"
      fields={[
        { name: 'name', label: words('name'), ...inputLimits('POST /enrollment-keys', 'name') },
        { name: 'siteId', label: words('keySite'), kind: 'choice', choices, none: words('defaultSite') },
        { name: 'maxUsage', label: words('maxUsage'), kind: 'number' },
        { name: 'ttlMinutes', label: words('ttl'), kind: 'choice', required: true, choices: lifetimes },
      ]}
      // The devices of a new organisation go to the site that it has, not to one that is made for them.
      initial={{ siteId: (sites.length === 1 && sites[0]?.id) || null, ttlMinutes: USUAL_LIFETIME }}
      changes={['enrollment']}
      act={({ name, ttlMinutes, ...values }: Values) =>
        createKey({ ...filledValues(values), orgId, name: String(name), ttlMinutes: Number(ttlMinutes) })
      }
      onDone={onKey}
    />
  );
}

interface KeyRowProps {
  readonly item: EnrollmentKey;
  readonly frozen: boolean;
  readonly onKey: (key: IssuedKey) => void;
}

/** A key that no device has used can have its command again, with another value. */
function KeyActs({ item: { id, name, usageCount }, onKey }: KeyRowProps) {
  const words = useTranslations('organizations');
  const isUsed = usageCount > 0;
  return (
    <Group gap="xs">
      <ConfirmButton
        label={words(isUsed ? 'rotateKey' : 'showCommand')}
        title={words(isUsed ? 'rotateKeyTitle' : 'showCommandTitle', { name })}
        size="xs"
        needs="POST /enrollment-keys/{id}/rotate"
        changes={['enrollment']}
        act={() => rotateKey(id)}
        onDone={onKey}
      >
        {words(isUsed ? 'rotateKeyText' : 'showCommandText')}
      </ConfirmButton>
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
    </Group>
  );
}

function KeyRow(props: KeyRowProps) {
  const words = useTranslations('organizations');
  const { name, usageCount, maxUsage, expiresAt } = props.item;
  return (
    <ActRow act={!props.frozen && <KeyActs {...props} />}>
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

/** What enrols a device with the key, ready to run: the machine itself, or the agent that comes with the product. */
const COMMANDS = [
  {
    name: 'windows',
    commandOf: (address: string, key: string) =>
      `Invoke-RestMethod -Method Post -Uri '${address}/api/v1/agents/enroll' -ContentType 'application/json' -Body ` +
      `(@{enrollmentKey='${key}';hostname=$env:COMPUTERNAME;osType='windows';` +
      `serialNumber=(Get-CimInstance Win32_BIOS).SerialNumber}|ConvertTo-Json)`,
  },
  {
    name: 'test',
    commandOf: (address: string, key: string) =>
      `npm run agent-sim -- --url ${address} --key=${key} --hostname TEST-1 --reports 1`,
  },
] as const;

interface ShownKeyProps {
  readonly issued: IssuedKey;
  /** The key as the list has it now. */
  readonly item: EnrollmentKey | undefined;
}

/** The key, what to do with it, and how many devices have enrolled since it was shown. */
function ShownKey({ issued, item }: ShownKeyProps) {
  const words = useTranslations('organizations');
  const enrolled = Math.max(0, (item?.usageCount ?? 0) - issued.usageCount);
  return (
    <Stack>
      <SecretOnce label={words('key')} secret={issued.key} />
      <Text size="sm">{words('keyUse', { address: location.origin })}</Text>
      {COMMANDS.map(({ name, commandOf }) => (
        <div key={name}>
          <Text className="gh-hint">{words(`commands.${name}`)}</Text>
          <CopyText text={commandOf(location.origin, issued.key)} />
        </div>
      ))}
      <Text size="sm" role="status" fw={500}>
        {words('keyEnrolled', { count: enrolled })}
      </Text>
    </Stack>
  );
}

/** The keys with which agents enrol in an organisation. */
export function Keys({ orgId, frozen }: { readonly orgId: string; readonly frozen: boolean }) {
  const words = useTranslations('organizations');
  const [issued, setIssued] = useState<IssuedKey | null>(null);
  const query = useQuery({ ...keysQuery(orgId), enabled: useCan()('GET /enrollment-keys') });
  if (!query.isEnabled) return null;
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{words('keys')}</Title>
        {!frozen && <NewKey orgId={orgId} onKey={setIssued} />}
      </Group>
      <Dialog title={words('key')} orgId={orgId} opened={issued !== null} isOnce onClose={() => setIssued(null)}>
        {issued && <ShownKey issued={issued} item={query.data?.find(({ id }) => id === issued.id)} />}
      </Dialog>
      <QueryView query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Text c="dimmed">{words('noKeys')}</Text>
          ) : (
            <HeldRows of="keys" rows={keys} question={orgId}>
              {(rows) => rows.map((one) => <KeyRow key={one.id} item={one} frozen={frozen} onKey={setIssued} />)}
            </HeldRows>
          )
        }
      </QueryView>
    </Stack>
  );
}
