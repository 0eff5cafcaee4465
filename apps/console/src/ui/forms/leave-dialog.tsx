import { Button, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Dialog } from './dialogs.tsx';
import { answerLeave } from './unsaved.ts';

/** Asks whether unsaved input may be lost. */
export function LeaveDialog() {
  const words = useTranslations('ui.leave');
  const stay = () => answerLeave(false);
  return (
    <Dialog title={words('title')} opened onClose={stay}>
      <Text size="sm" mb="md">
        {words('text')}
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => answerLeave(true)}>
          {words('leave')}
        </Button>
        <Button data-autofocus onClick={stay}>
          {words('stay')}
        </Button>
      </Group>
    </Dialog>
  );
}
