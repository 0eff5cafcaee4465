import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { CopyText } from '../../../ui/text/copy-text.tsx';
import type { Preset } from '../model.ts';
import { ownAddressesQuery } from '../queries.ts';

const NAMES = { oidc: ['callbackUrl'], saml: ['acsUrl', 'entityId', 'metadataUrl'] } as const;

/** Our addresses and names, to be copied into the provider. */
export function OwnAddresses({ type }: Pick<Preset, 'type'>) {
  const words = useTranslations('signOn');
  const addresses = useQuery(ownAddressesQuery).data;
  if (!addresses) return null;
  return (
    <Stack gap="sm">
      <Text size="sm">{words(`addresses.${type}`)}</Text>
      {NAMES[type].map((name) => (
        <Stack key={name} gap={2} align="flex-start">
          <Text size="sm" c="dimmed">
            {words(`address.${name}`)}
          </Text>
          <CopyText text={addresses[name]} />
        </Stack>
      ))}
    </Stack>
  );
}
