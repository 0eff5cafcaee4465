import { Alert, Button, List, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { codeOf } from '../../../api/problem.ts';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { faultAt, faultOf, missingIn } from '../draft.ts';
import type { Provider } from '../model.ts';
import { connectionQuery, testProvider } from '../queries.ts';
import { TestSignIn } from './test-sign-in.tsx';

const TEST = 'POST /sso/providers/{id}/test';

interface ProviderTestProps {
  readonly provider: Provider;
  /** Whether it is being connected: the settings are a step of the wizard then. */
  readonly isNew?: boolean;
}

/** The address at which people of the provider's owner sign in. */
function signInAddress({ ownerScope, orgId, partnerId, type }: Provider): string {
  const base = type === 'oidc' ? '/api/v1/sso/login' : '/api/v1/sso/saml/login';
  const owner = ownerScope === 'partner' ? `partner/${partnerId}` : orgId;
  return `${location.origin}${base}/${owner}`;
}

/** What the test found wrong, and the way to the field where it is put right. */
function Fault({ provider, isNew, error }: ProviderTestProps & { readonly error: unknown }) {
  const words = useTranslations('signOn');
  const missing = missingIn(error);
  const field = missing[0] ?? Object.keys(faultAt(error))[0];
  return (
    <Alert color="red" variant="light" role="alert" title={words('testFailed')} classNames={{ title: 'gh-status' }}>
      <Stack gap="xs">
        <Text size="sm">{faultOf(error)}</Text>
        {missing.length > 0 && (
          <List size="sm">
            {missing.map((name) => (
              <List.Item key={name}>{words('missing', { name })}</List.Item>
            ))}
          </List>
        )}
        <Text size="sm">
          {isNew ? (
            <Link
              to="/sign-on/new"
              search={({ field: _, ...kept }) => ({
                ...kept,
                step: 'settings' as const,
                provider: provider.id,
                ...(field && { field }),
              })}
            >
              {words('toSettings')}
            </Link>
          ) : (
            <Link to="/sign-on/$providerId/edit" params={{ providerId: provider.id }} search={field ? { field } : {}}>
              {words('toSettings')}
            </Link>
          )}
        </Text>
      </Stack>
    </Alert>
  );
}

/** The test, and what the server warns of; a fault that the test has told is not told again as a warning. */
function Connection({ provider, isNew }: ProviderTestProps) {
  const words = useTranslations('signOn');
  const queryClient = useQueryClient();
  const act = useAct<void, Awaited<ReturnType<typeof testProvider>>>(['sign-on'], () => testProvider(provider.id));
  const mayTest = useCan()(TEST);
  const remember = (error: unknown): void =>
    void queryClient.setQueryData(connectionQuery(provider).queryKey, error === null);
  const test = () => act.mutate(undefined, { onSettled: (_, error) => remember(error) });
  return (
    <>
      {provider.warnings
        .filter(({ code }) => code !== codeOf(act.error))
        .map(({ code, detail }) => (
          <Alert key={code} color="orange">
            {detail}
          </Alert>
        ))}
      {mayTest && (
        <>
          <Text size="sm">{words(`testText.${provider.type}`)}</Text>
          <Button w="fit-content" variant="default" loading={act.isPending} onClick={test}>
            {words('test')}
          </Button>
        </>
      )}
      {act.data && (
        <Alert color="green" role="status">
          {words(`testOk.${provider.type}`)}
        </Alert>
      )}
      {act.error && <Fault {...{ provider, isNew }} error={act.error} />}
    </>
  );
}

/** Tests the connection and says what to do next. */
export function ProviderTest({ provider, isNew = false }: ProviderTestProps) {
  const words = useTranslations('signOn');
  const mayTest = useCan()(TEST);
  return (
    <Stack className="gh-card" component="section">
      {mayTest && <Title order={2}>{words('testTitle')}</Title>}
      <Connection {...{ provider, isNew }} />
      <TestSignIn provider={provider} />
      <Stack gap={2}>
        <Text className="gh-hint">{words('signInLink')}</Text>
        <CopyText text={signInAddress(provider)} />
      </Stack>
    </Stack>
  );
}
