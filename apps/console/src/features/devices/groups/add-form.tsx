import { Checkbox, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormActions } from '../../../ui/forms/dialogs.tsx';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { SearchFilter } from '../../../ui/lists/filter-bar.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { type Device, devicesQuery } from '../queries.ts';
import { addDevices, CHANGES, type DeviceGroup } from './queries.ts';

const SHOWN = 20;
const NAME_LENGTH = 40;

interface RowProps {
  readonly device: Device;
  readonly isMember: boolean;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
}

function Row({ device: { displayName, hostname, siteName }, isMember, isChosen, onToggle }: RowProps) {
  const words = useTranslations('devices');
  const label = (
    <>
      <SafeText value={displayName ?? hostname} most={NAME_LENGTH} />{' '}
      <Text span size="xs" c="dimmed">
        {isMember ? words('isMember') : siteName}
      </Text>
    </>
  );
  return <Checkbox label={label} checked={isMember || isChosen} disabled={isMember} onChange={onToggle} />;
}

interface FoundProps {
  readonly group: DeviceGroup;
  readonly q: string | undefined;
  readonly chosen: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

function Found({ group, q, chosen, onToggle }: FoundProps) {
  const words = useTranslations('devices');
  return (
    <QueryView query={useQuery(devicesQuery({ org: group.orgId, ...(q && { q }) }, SHOWN))}>
      {({ data, pagination: { total } }) => (
        <Stack gap="xs" mih={120}>
          {data.map((device) => (
            <Row
              key={device.id}
              device={device}
              isMember={device.groupIds.includes(group.id)}
              isChosen={chosen.has(device.id)}
              onToggle={() => onToggle(device.id)}
            />
          ))}
          {data.length === 0 && <Text c="dimmed">{words('noneFound')}</Text>}
          {total > data.length && (
            <Text size="xs" c="dimmed">
              {words('moreFound', { count: total - data.length })}
            </Text>
          )}
        </Stack>
      )}
    </QueryView>
  );
}

interface AddFormProps {
  readonly group: DeviceGroup;
  readonly onClose: () => void;
}

/** The devices of the group's organisation; the server searches them. What is chosen stays while one searches on. */
export function AddForm({ group, onClose }: AddFormProps) {
  const words = useTranslations('devices');
  const [q, setQ] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const act = useAct(CHANGES, () => addDevices(group.id, [...chosen]));
  const toggle = (id: string) =>
    setChosen(new Set(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id]));
  const save = () =>
    act.mutate(undefined, {
      onSuccess: () => {
        notifyDone(words('added', { count: chosen.size, name: group.name }));
        onClose();
      },
    });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Stack>
        <SearchFilter value={q} onChange={setQ} />
        <Found group={group} q={q} chosen={chosen} onToggle={toggle} />
        <Refusal error={act.error} />
        <FormActions
          label={words('addCount', { count: chosen.size })}
          saving={act.isPending}
          disabled={chosen.size === 0}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
