import { Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { CopyText } from '../text/copy-text.tsx';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Recovery codes, shown only once. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const words = useTranslations('shell.stepUp');
  return (
    <Stack>
      <Text size="sm">{words('recoveryText')}</Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {codes.map((code) => (
          <Code key={code}>{code}</Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <CopyText text={codes.join('\n')} shown="" />
        <Button onClick={onDone}>{words('recoveryDone')}</Button>
      </Group>
    </Stack>
  );
}
