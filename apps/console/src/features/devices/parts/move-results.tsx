import { Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock } from '../../../ui/icons.tsx';
import { useTranslations } from 'use-intl';
import { wordsFor } from '../../../api/problem.ts';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import type { Device, MovedDevice } from '../queries.ts';
import type { MoveResult } from '../use-moves.ts';

const NAME_LENGTH = 40;

/** What the device lost with the move; null when nothing. */
function useLosses(): (consequences: MovedDevice['consequences']) => string | null {
  const words = useTranslations('devices');
  return ({ groupsLeft, customFieldValuesDropped, policyAssignmentsDropped }) => {
    const counts = [
      ['groupsLeft', groupsLeft.length],
      ['valuesDropped', customFieldValuesDropped],
      ['policiesDropped', policyAssignmentsDropped],
    ] as const;
    const losses = counts.filter(([, count]) => count > 0).map(([name, count]) => words(name, { count }));
    return losses.length > 0 ? [words('moved'), ...losses].join(', ') : null;
  };
}

function Result({ result }: { readonly result: MoveResult | undefined }) {
  const words = useTranslations('devices');
  const losses = useLosses();
  if (!result) return <IconClock size={16} aria-label={words('moveWaits')} role="img" />;
  if (result.consequences) {
    return (
      <Group gap={4} wrap="nowrap">
        <IconCheck size={16} aria-hidden />
        <Text size="sm">{losses(result.consequences) ?? words('moved')}</Text>
      </Group>
    );
  }
  return (
    <Group gap={4} wrap="nowrap" align="start">
      <IconAlertTriangle size={16} aria-hidden />
      <Text size="sm" fw={600}>
        {wordsFor(result.error)}
      </Text>
    </Group>
  );
}

interface MoveResultsProps {
  readonly devices: readonly Device[];
  readonly results: ReadonlyMap<string, MoveResult>;
}

/** One row a device: waiting, moved with what it lost, or refused with the reason. */
export function MoveResults({ devices, results }: MoveResultsProps) {
  const words = useTranslations('devices');
  return (
    <Stack component="ul" gap={6} m={0} p={0} mah={320} className="gh-moved" tabIndex={0} aria-label={words('title')}>
      {devices.map(({ id, displayName, hostname }) => (
        <Group component="li" key={id} justify="space-between" gap="sm" align="start" data-row={id}>
          <SafeText value={displayName ?? hostname} most={NAME_LENGTH} />
          <Result result={results.get(id)} />
        </Group>
      ))}
    </Stack>
  );
}
