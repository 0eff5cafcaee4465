import { List, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { rightsByArea } from './rights.ts';

/** What permissions let one do, in words, by area. */
export function RightsInWords({ permissions }: { readonly permissions: readonly string[] }) {
  const words = useTranslations('people');
  if (permissions.includes('*')) return <Text size="sm">{words('rights.*')}</Text>;
  const areas = rightsByArea(permissions);
  if (areas.length === 0) return <Text className="gh-hint">{words('noRights')}</Text>;
  return (
    <Stack gap={6}>
      {areas.map(([area, rights]) => (
        <div key={area}>
          <Text size="sm" fw={600}>
            {words(`areas.${area}`)}
          </Text>
          <List size="sm" spacing={2}>
            {rights.map((right) => (
              <List.Item key={right}>{words(`rights.${right}`)}</List.Item>
            ))}
          </List>
        </div>
      ))}
    </Stack>
  );
}
