import { Alert, Group, List, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import type { Provider } from '../model.ts';
import { CHANGES, enforcementQuery, setStatus, updateProvider } from '../queries.ts';

function Activation({ provider }: { readonly provider: Provider }) {
  const { name, status } = provider;
  const words = useTranslations('signOn');
  const verb = status === 'active' ? 'deactivate' : 'activate';
  return (
    <ConfirmButton
      label={words(verb)}
      title={words(`${verb}Title`, { name })}
      needs="POST /sso/providers/{id}/status"
      changes={CHANGES}
      act={() => setStatus(provider, verb === 'activate' ? 'active' : 'inactive')}
    >
      {words(`${verb}Text`)}
    </ConfirmButton>
  );
}

/** The switch of enforcement, which opens only after a sign-in has succeeded with the present configuration. */
function Enforcement({ provider }: { readonly provider: Provider }) {
  const { id, name, enforceSSO } = provider;
  const words = useTranslations('signOn');
  const verb = enforceSSO ? 'release' : 'enforce';
  return (
    <QueryView query={useQuery(enforcementQuery(id))}>
      {({ tested, users, withoutLink }) => (
        <Stack gap="xs">
          <Title order={2}>{words('outlook')}</Title>
          <Alert color={tested ? 'green' : 'orange'} role="status">
            {words(tested ? 'tested' : 'untested')}
          </Alert>
          <Text size="sm">{words('withoutLink', { count: withoutLink })}</Text>
          <List size="sm">
            {users
              .filter(({ linked }) => !linked)
              .map(({ userId, name: user, email }) => (
                <List.Item key={userId}>
                  {user} · {email}
                </List.Item>
              ))}
          </List>
          {(tested || enforceSSO) && (
            <ConfirmButton
              label={words(verb)}
              title={words(`${verb}Title`, { name })}
              needs="PATCH /sso/providers/{id}"
              w="fit-content"
              {...(verb === 'enforce' && { name })}
              changes={CHANGES}
              act={() => updateProvider(provider, { enforceSSO: !enforceSSO })}
            >
              {words(`${verb}Text`)}
            </ConfirmButton>
          )}
        </Stack>
      )}
    </QueryView>
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
      <Stack className="gh-card" component="section">
        <Enforcement provider={provider} />
      </Stack>
    </>
  );
}
