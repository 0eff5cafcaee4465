import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { FormButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { addDevices, CHANGES, groupChoicesQuery } from '../groups/queries.ts';
import type { Device } from '../queries.ts';
import { MOST_SELECTED } from '../use-selection.ts';
import { MoveButton } from './move-button.tsx';

/** Puts the selected devices into a group; a group takes devices of its own organisation only. */
function AddToGroup({ orgId, ids }: { readonly orgId: string; readonly ids: readonly string[] }) {
  const words = useTranslations('devices');
  const groups = useQuery(groupChoicesQuery(orgId)).data ?? [];
  if (groups.length === 0) return null;
  const choices = groups.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormButton
      label={words('addToGroup')}
      size="xs"
      variant="default"
      needs="POST /device-groups/{id}/devices"
      fields={[{ name: 'group', label: words('group'), kind: 'choice', choices, required: true }]}
      changes={CHANGES}
      act={({ group }) => addDevices(String(group), ids)}
      onDone={({ data: { name } }) => notifyDone(words('added', { count: ids.length, name }))}
    />
  );
}

interface BulkBarProps {
  readonly devices: readonly Device[];
  readonly onMoved: (ids: ReadonlySet<string>) => void;
  readonly onClear: () => void;
}

/** What can be done to all devices that are selected. */
export function BulkBar({ devices, onMoved, onClear }: BulkBarProps) {
  const words = useTranslations('devices');
  const [orgId, ...others] = new Set(devices.map((device) => device.orgId));
  if (orgId === undefined) return null;
  const ids = devices.map(({ id }) => id);
  return (
    <Group gap="xs" className="gh-bulk" role="group" aria-label={words('selected', { count: ids.length })}>
      <Text size="sm" role="status">
        {words('selected', { count: ids.length })}
        {ids.length >= MOST_SELECTED && ` ${words('mostSelected', { count: MOST_SELECTED })}`}
      </Text>
      <MoveButton devices={devices} size="xs" onMoved={onMoved} />
      {others.length === 0 && <AddToGroup orgId={orgId} ids={ids} />}
      <Button size="xs" variant="subtle" onClick={onClear}>
        {words('clearSelection')}
      </Button>
    </Group>
  );
}
