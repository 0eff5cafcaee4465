import { Group, Stack, Text, Title } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import type { Provider } from '../model.ts';
import { CHANGES, renewEncryptionKey } from '../queries.ts';

const METADATA_PATH = '/api/v1/sso/saml/metadata';

/** Our key with which the provider may encrypt assertions, as its administrator needs it. */
export function Encryption({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn');
  const { id, encryptionCertificate: pem } = provider;
  const label = words(pem ? 'encryption.renew' : 'encryption.make');
  return (
    <Stack className="gh-card" component="section">
      <Group justify="space-between">
        <Title order={2}>{words('encryption.title')}</Title>
        <ConfirmButton
          label={label}
          title={words('encryption.of', { label, name: provider.name })}
          size="xs"
          needs="POST /sso/providers/{id}/encryption-key"
          changes={CHANGES}
          act={() => renewEncryptionKey(provider)}
        >
          {words(pem ? 'encryption.renewText' : 'encryption.makeText')}
        </ConfirmButton>
      </Group>
      <Text className="gh-hint">{words(pem ? 'encryption.given' : 'encryption.none')}</Text>
      {pem && (
        <Stack gap={4}>
          <CopyText label={words('encryption.certificate')} text={pem} shown="PEM" />
          <CopyText
            label={words('encryption.metadata')}
            text={`${location.origin}${METADATA_PATH}?provider=${id}`}
            shown={`${METADATA_PATH}?provider=…`}
          />
        </Stack>
      )}
    </Stack>
  );
}
