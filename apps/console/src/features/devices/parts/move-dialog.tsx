import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useMe } from '../../../api/me.ts';
import { Dialog, FormActions } from '../../../ui/forms/dialogs.tsx';
import { organizationQuery } from '../../../ui/place/queries.ts';
import { PlaceTree } from '../../../ui/place/tree/place-tree.tsx';
import type { TreePlace } from '../../../ui/place/tree/queries.ts';
import type { Device } from '../queries.ts';
import { type Moves, useMoves } from '../use-moves.ts';
import { MoveResults } from './move-results.tsx';
import { plainName } from '../../../ui/text/safe-text.tsx';

interface ChooseProps {
  readonly devices: readonly Device[];
  readonly value: TreePlace | null;
  readonly onChange: (place: TreePlace) => void;
  readonly onStart: () => void;
  readonly onCancel: () => void;
}

/** The organisation in which a caller without a choice stays: the own one, or that of a confined caller. */
function useOwnOrganization(orgId: string): TreePlace | undefined {
  const { scope } = useMe();
  const isOwn = scope === 'organization';
  const { data } = useQuery({ ...organizationQuery(orgId, scope), enabled: isOwn });
  return isOwn && data ? { level: 'organization', id: orgId, name: data.name, orgId } : undefined;
}

function Choose({ devices, value, onChange, onStart, onCancel }: ChooseProps) {
  const words = useTranslations('devices');
  const { scope } = useMe();
  const own = useOwnOrganization(devices[0]?.orgId ?? '');
  const leaves = value !== null && devices.some(({ orgId }) => orgId !== value.orgId);
  if (scope === 'organization' && !own) return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onStart();
      }}
    >
      <Stack>
        <PlaceTree label={words('site')} levels={['site']} organization={own} value={value} onChange={onChange} />
        {leaves && <Alert color="yellow">{words('leavesOrganization')}</Alert>}
        <FormActions label={words('move')} saving={false} disabled={value === null} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

interface OutcomeProps {
  readonly devices: readonly Device[];
  readonly moves: Moves;
  readonly onRetry: (devices: readonly Device[]) => void;
  readonly onClose: () => void;
}

/** How far the moves are, and what became of each device. */
function Outcome({ devices, moves: { results, isRunning }, onRetry, onClose }: OutcomeProps) {
  const words = useTranslations('devices');
  const uiWords = useTranslations('ui');
  const failed = devices.filter(({ id }) => results.get(id)?.error !== undefined);
  const done = results.size - failed.length;
  return (
    <Stack>
      <Progress
        value={(100 * results.size) / Math.max(1, devices.length)}
        aria-label={words('moveProgress', { done: results.size, total: devices.length })}
      />
      <Text size="sm" role="status">
        {isRunning
          ? words('moveProgress', { done: results.size, total: devices.length })
          : words('moveDone', { done, failed: failed.length })}
      </Text>
      <MoveResults devices={devices} results={results} />
      <Group justify="flex-end" gap="xs">
        {failed.length > 0 && (
          <Button variant="default" loading={isRunning} onClick={() => onRetry(failed)}>
            {words('retryFailed', { count: failed.length })}
          </Button>
        )}
        <Button disabled={isRunning} onClick={onClose}>
          {uiWords('close')}
        </Button>
      </Group>
    </Stack>
  );
}

interface MoveDialogProps {
  readonly devices: readonly Device[];
  readonly onClose: (moved: ReadonlySet<string>) => void;
}

/** Chooses the site, then moves the devices and tells for each what became of it. */
export function MoveDialog({ devices: given, onClose }: MoveDialogProps) {
  const words = useTranslations('devices');
  // The list behind the dialog is read anew while devices move; what is shown here stays.
  const [devices] = useState(given);
  const [site, setSite] = useState<TreePlace | null>(null);
  const [isStarted, setStarted] = useState(false);
  const moves = useMoves();
  const destination = site && { siteId: site.id, orgId: site.orgId ?? '' };
  const start = (those: readonly Device[]) => {
    if (!destination) return;
    setStarted(true);
    void moves.run(those, destination);
  };
  const close = () => {
    if (moves.isRunning) return;
    const moved = devices.filter(({ id }) => moves.results.get(id)?.consequences !== undefined);
    onClose(new Set(moved.map(({ id }) => id)));
  };
  const [first] = devices;
  const orgId = devices.every((one) => one.orgId === first?.orgId) ? first?.orgId : null;
  const name = first ? plainName(first.displayName ?? first.hostname) : '';
  return (
    <Dialog title={words('moveTitle', { count: devices.length, name })} orgId={orgId} opened onClose={close}>
      {isStarted ? (
        <Outcome devices={devices} moves={moves} onRetry={start} onClose={close} />
      ) : (
        <Choose devices={devices} value={site} onChange={setSite} onStart={() => start(devices)} onCancel={close} />
      )}
    </Dialog>
  );
}
