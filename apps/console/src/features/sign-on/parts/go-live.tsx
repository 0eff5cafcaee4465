import { Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import type { Provider } from '../model.ts';
import { CHANGES, setStatus } from '../queries.ts';
import { Enforcement } from './enforcement.tsx';

function Activation({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const { name, status } = provider;
  const verb = status === 'active' ? 'deactivate' : 'activate';
  return (
    <ConfirmButton
      label={words(verb)}
      title={words(`${verb}Title`, { name })}
      needs="POST /sso/providers/{id}/status"
      color={verb === 'deactivate' ? 'red' : ''}
      changes={CHANGES}
      act={() => setStatus(provider, verb === 'activate' ? 'active' : 'inactive')}
    >
      {words(`${verb}Text`)}
    </ConfirmButton>
  );
}

/** Activation, and apart from it enforcement behind the list of those whom it would concern. */
export function GoLive({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  return (
    <>
      <Stack className="gh-card" component="section">
        <Title order={2}>{words('status')}</Title>
        <Group justify="space-between">
          <Text size="sm">{words(`statusText.${provider.status}`)}</Text>
          <Activation provider={provider} />
        </Group>
      </Stack>
      <Enforcement provider={provider} />
    </>
  );
}
