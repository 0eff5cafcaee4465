import { Button, Group, Paper, Text } from '@mantine/core';
import { useIdle } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { TAKE_OVER } from './take-over.ts';

const IDLE_MS = 3000;

async function reload(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration();
  worker?.waiting?.postMessage(TAKE_OVER);
  location.reload();
}

/** Another version is served. The offer waits for an idle moment; what is being typed stays until it is taken. */
export function ReloadOffer() {
  const words = useTranslations('shell.version');
  const idle = useIdle(IDLE_MS, { initialState: false });
  const [shown, setShown] = useState(false);
  const [later, setLater] = useState(false);
  if (idle && !shown) setShown(true);
  if (!shown || later) return null;
  return (
    <Paper withBorder shadow="md" p="sm" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{words('text')}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setLater(true)}>
            {words('later')}
          </Button>
          <Button size="xs" onClick={() => void reload()}>
            {words('reload')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
