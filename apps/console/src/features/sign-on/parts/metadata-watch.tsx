import { Alert, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import type { Values } from '../../../ui/forms/fields.ts';
import { notifyDone } from '../../../ui/notify.ts';
import { Facts } from '../../../ui/text/facts.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { faultAt } from '../draft.ts';
import type { Provider } from '../model.ts';
import {
  applyMetadataChange,
  CHANGES,
  dismissMetadataChange,
  type MetadataChange,
  metadataChangesQuery,
  refreshMetadata,
  updateProvider,
} from '../queries.ts';

const PATCH = 'PATCH /sso/providers/{id}';
const POLICIES = ['hold', 'auto_certificates'] as const;
const MAX_SHOWN = 5;
const VALUE_LENGTH = 120;
type Value = MetadataChange['fields'][number]['before'];

/** An address as it is, certificates by their subjects and ends. */
function Shown({ value }: { readonly value: Value }) {
  const words = useTranslations('signOn');
  if (value === null) return <>{words('watch.nothing')}</>;
  if (typeof value === 'string') return <SafeText value={value} most={VALUE_LENGTH} />;
  return (
    <>
      {value.map(({ sha256, subject, notAfter }) => (
        <span key={sha256}>
          <SafeText value={subject} most={VALUE_LENGTH} /> ({words('certificateUntil', { at: new Date(notAfter) })}
          ){' '}
        </span>
      ))}
    </>
  );
}

function Change({ change, name }: { readonly change: MetadataChange; readonly name: string }) {
  const words = useTranslations('signOn');
  const { id, status, reason, detectedAt, fields } = change;
  const isHeld = status === 'held';
  return (
    <Alert color={isHeld ? 'orange' : 'gray'} variant="light" title={words(`watch.statuses.${status}`)}>
      <Stack gap="xs">
        <Text size="sm">
          {words(`watch.reasons.${reason}`)} <Instant at={detectedAt} />
        </Text>
        {fields.map(({ field, before, after }) => (
          <Text key={field} size="sm" component="div">
            <b>{words(`watch.fields.${field}`)}</b>: <Shown value={before} /> → <Shown value={after} />
          </Text>
        ))}
        <Group gap="xs">
          {isHeld && (
            <ConfirmButton
              label={words('watch.apply')}
              title={words('watch.applyTitle', { name })}
              size="xs"
              needs="POST /sso/metadata-changes/{id}/apply"
              changes={CHANGES}
              act={() => applyMetadataChange(id)}
            >
              {words('watch.applyText')}
            </ConfirmButton>
          )}
          {(isHeld || status === 'applied_automatically') && (
            <ConfirmButton
              label={words('watch.dismiss')}
              title={words('watch.dismissTitle', { name })}
              size="xs"
              needs="POST /sso/metadata-changes/{id}/dismiss"
              changes={CHANGES}
              act={() => dismissMetadataChange(id)}
            >
              {words(isHeld ? 'watch.dismissText' : 'watch.undoText')}
            </ConfirmButton>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

function WatchButton({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const { metadataUrl, metadataPolicy } = provider;
  const save = ({ url, policy }: Values) =>
    updateProvider(provider, {
      metadataUrl: String(url ?? '').trim() || null,
      metadataPolicy: policy === 'hold' ? 'hold' : 'auto_certificates',
    });
  return (
    <FormButton
      label={words('watch.change')}
      title={words('watch.changeTitle', { name: provider.name })}
      size="xs"
      variant="default"
      needs={PATCH}
      fields={[
        {
          name: 'url',
          label: words('watch.url'),
          description: words('watch.urlText'),
          ...inputLimits(PATCH, 'metadataUrl'),
        },
        {
          name: 'policy',
          label: words('watch.policy'),
          kind: 'choice',
          required: true,
          choices: POLICIES.map((value) => ({ value, label: words(`watch.policies.${value}`) })),
        },
      ]}
      initial={{ url: metadataUrl ?? '', policy: metadataPolicy }}
      changes={CHANGES}
      faultAt={faultAt}
      act={save}
    />
  );
}

/** The metadata address of a SAML provider, and what its metadata say that the settings do not. */
export function MetadataWatch({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const { id, metadataUrl, metadataPolicy, metadataCheckedAt, metadataError } = provider;
  const { data: changes = [] } = useQuery(metadataChangesQuery(id));
  return (
    <Stack className="gh-card" component="section">
      <Group justify="space-between">
        <Title order={2}>{words('watch.title')}</Title>
        <Group gap="xs">
          {metadataUrl && (
            <ConfirmButton
              label={words('watch.check')}
              title={words('watch.checkTitle', { name: provider.name })}
              size="xs"
              needs="POST /sso/providers/{id}/metadata/refresh"
              changes={CHANGES}
              act={() => refreshMetadata(id)}
              onDone={({ changed }) => notifyDone(words(changed ? 'watch.found' : 'watch.same'))}
            >
              {words('watch.checkText')}
            </ConfirmButton>
          )}
          <WatchButton provider={provider} />
        </Group>
      </Group>
      {metadataUrl ? (
        <Facts
          facts={[
            { name: words('watch.url'), value: metadataUrl },
            { name: words('watch.policy'), value: words(`watch.policies.${metadataPolicy}`) },
            { name: words('watch.checked'), value: metadataCheckedAt && <Instant at={metadataCheckedAt} /> },
          ]}
        />
      ) : (
        <Text size="sm">{words('watch.none')}</Text>
      )}
      {metadataError && (
        <Alert color="red" variant="light">
          {words('watch.error', { error: metadataError })}
        </Alert>
      )}
      {changes.slice(0, MAX_SHOWN).map((change) => (
        <Change key={change.id} change={change} name={provider.name} />
      ))}
    </Stack>
  );
}
