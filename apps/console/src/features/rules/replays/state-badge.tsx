import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { Replay } from './queries.ts';

const COLORS: Readonly<Record<Replay['state'], string>> = {
  queued: 'gray',
  running: 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
};

/** How far a replay is, in words and colour. */
export function StateBadge({ state }: Pick<Replay, 'state'>) {
  const words = useTranslations('rules.replays.states');
  return (
    <Badge size="sm" variant="light" tt="none" color={COLORS[state]} className="gh-status">
      {words(state)}
    </Badge>
  );
}
