import { Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { inputLimits } from '../../../api/limits.ts';
import { useCan } from '../../../api/me.ts';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { type Field, filledValues } from '../../../ui/forms/fields.ts';
import type { Provider } from '../model.ts';
import { createSetupLink } from '../queries.ts';

const HOURS = ['24', '168', '720'] as const;
const ROUTE = 'POST /sso/setup-links';

/** Who gets a link, and for how long it lasts. */
export function useSending(): readonly [recipient: Field, life: Field] {
  const own = useTranslations('signOn.setupLinks');
  const lives = HOURS.map((value) => ({ value, label: own('hours', { hours: Number(value) }) }));
  const recipient = { name: 'recipientEmail', label: own('recipient'), description: own('recipientText') };
  return [
    { ...recipient, ...inputLimits(ROUTE, 'recipientEmail') },
    { name: 'expiresInHours', label: own('lasts'), kind: 'choice', choices: lives },
  ];
}

/** A link with which the administrator of an active provider renews its certificate or its secret. */
export function RenewLink({ provider: { id, name, status, type } }: { readonly provider: Provider }) {
  const own = useTranslations('signOn.setupLinks');
  const [url, setUrl] = useState<string | null>(null);
  const fields = useSending();
  const can = useCan();
  if (status !== 'active' || !can(ROUTE)) return null;
  return (
    <Stack className="gh-card" component="section">
      <Title order={2}>{own('renew')}</Title>
      <Text size="sm">{own('renewText', { type })}</Text>
      {url && <SecretOnce label={own('link')} secret={url} />}
      <Group>
        <FormButton
          label={own('newRenewal')}
          title={`${own('newRenewal')}: ${name}`}
          needs={ROUTE}
          variant="default"
          fields={fields}
          initial={{ expiresInHours: '168' }}
          changes={['sign-on']}
          act={({ expiresInHours, ...values }) =>
            createSetupLink({
              ...filledValues(values),
              expiresInHours: Number(expiresInHours),
              providerId: id,
              purpose: 'renew',
            })
          }
          onDone={({ data }) => setUrl(data.url)}
        />
      </Group>
    </Stack>
  );
}
