import { Button, Group, Paper, Text } from '@mantine/core';
import { useIdle } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useOnline } from '../../api/browser.ts';
import { mayLeave } from '../../ui/forms/unsaved.ts';
import { TAKE_OVER } from './messages.ts';

const IDLE_MS = 3000;

/** Asks first when input would be lost. */
async function reload(): Promise<void> {
  if (!(await mayLeave())) return;
  const worker = await navigator.serviceWorker?.getRegistration();
  worker?.waiting?.postMessage(TAKE_OVER);
  location.reload();
}

interface ReloadOfferProps {
  /** Whether a part of the screen is missing; otherwise the offer waits for an idle moment. */
  readonly isNeeded: boolean;
}

/** Another version is served. What is being typed stays until the offer is taken. */
export function ReloadOffer({ isNeeded }: ReloadOfferProps) {
  const words = useTranslations('shell.version');
  const online = useOnline();
  const idle = useIdle(IDLE_MS, { initialState: false });
  const [shown, setShown] = useState(isNeeded);
  const [isPutOff, putOff] = useState(false);
  if (idle && !shown) setShown(true);
  if (!shown || isPutOff) return null;
  return (
    <Paper withBorder shadow="md" p="sm" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">{words(isNeeded ? 'needed' : 'text')}</Text>
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => putOff(true)}>
            {words('later')}
          </Button>
          <Button size="xs" disabled={!online} onClick={() => void reload()}>
            {words('reload')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
