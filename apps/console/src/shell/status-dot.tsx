import { Group, Text, Tooltip } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { liveStateSince, useLiveState } from './live-updates.ts';

/** Whether the screen follows the server, and since when. */
export function StatusDot() {
  const words = useTranslations('shell');
  const format = useFormatter();
  const state = useLiveState();
  const time = format.dateTime(new Date(liveStateSince()), { timeStyle: 'short' });
  return (
    <Tooltip label={words('liveSince', { state: words(`live.${state}`), time })}>
      <Group gap={6} wrap="nowrap" role="status">
        <span className="gh-dot" data-state={state} aria-hidden />
        <Text size="sm" c="dimmed" className="gh-dot-text">
          {words(`live.${state}`)}
        </Text>
      </Group>
    </Tooltip>
  );
}
