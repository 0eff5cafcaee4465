import { Alert, Button, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import type { Provider } from '../model.ts';
import { testProvider } from '../queries.ts';

/** The address at which people of the provider's owner sign in. */
function signInAddress({ ownerScope, orgId, partnerId, type }: Provider): string {
  const base = type === 'oidc' ? '/api/v1/sso/login' : '/api/v1/sso/saml/login';
  const owner = ownerScope === 'partner' ? `partner/${partnerId}` : orgId;
  return `${location.origin}${base}/${owner}`;
}

/** Tests the connection and says what to do next. */
export function ProviderTest({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const act = useAct<void, Awaited<ReturnType<typeof testProvider>>>(['sign-on'], () => testProvider(provider.id));
  return (
    <Stack className="gh-card">
      <Text size="sm">{words('testText')}</Text>
      <Button w="fit-content" variant="default" loading={act.isPending} onClick={() => act.mutate()}>
        {words('test')}
      </Button>
      {act.data && (
        <Alert color={act.data.success ? 'green' : 'red'} role="status">
          {act.data.success ? words('testOk') : act.data.message}
        </Alert>
      )}
      <Refusal error={act.error} />
      <Text size="sm">{words('trySignIn')}</Text>
      <CopyText label={words('signInLink')} text={signInAddress(provider)} />
    </Stack>
  );
}
