import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { AreaTabs } from '../../../ui/area-tabs.tsx';
import { type Column, DataTable, type Selection } from '../../../ui/lists/data-table.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { COLORS, type Device, type FieldValue, systemOf } from '../queries.ts';

const NAME_LENGTH = 60;

function useColumns(): readonly Column<Device>[] {
  const words = useTranslations('devices');
  const uiWords = useTranslations('ui');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: (device) => (
        <Link to="/devices/$deviceId" params={{ deviceId: device.id }} data-open>
          <SafeText value={device.displayName ?? device.hostname} most={NAME_LENGTH} />
        </Link>
      ),
    },
    {
      id: 'place',
      header: words('place'),
      cell: ({ orgName, siteName }) => `${orgName} ▸ ${siteName}`,
    },
    {
      id: 'system',
      header: words('system'),
      cell: systemOf,
    },
    {
      id: 'status',
      header: words('status'),
      cell: ({ status }) => <Badge color={COLORS[status]}>{words(`states.${status}`)}</Badge>,
    },
    {
      id: 'seen',
      header: words('seen'),
      cell: ({ lastSeenAt, siteId }) => (lastSeenAt ? <Instant at={lastSeenAt} siteId={siteId} /> : uiWords('never')),
    },
    { id: 'agent', header: words('agent'), cell: ({ agentVersion }) => agentVersion ?? words('noVersion') },
  ];
}

interface DeviceTableProps {
  readonly rows: readonly Device[];
  readonly selection?: Selection | undefined;
}

/** Devices, some of which may be selected. */
export function DeviceTable({ rows, selection }: DeviceTableProps) {
  const words = useTranslations('devices');
  return (
    <DataTable
      label={words('title')}
      columns={useColumns()}
      rows={rows}
      idOf={({ id }) => id}
      {...(selection && { selection })}
    />
  );
}

/** Devices, and the groups that they are in. */
export function DevicesLinks() {
  const words = useTranslations('devices');
  return (
    <AreaTabs
      label={words('devicesParts')}
      tabs={[
        ['/devices', words('title')],
        ['/devices/groups', words('groupsTitle')],
      ]}
    />
  );
}

const VALUE_LENGTH = 200;

/** The value of a custom field, as its kind is read. */
export function ShownValue({ field: { type, value } }: { readonly field: FieldValue }) {
  const words = useTranslations('ui');
  const format = useFormatter();
  if (value === null) return words('none');
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (typeof value === 'number') return format.number(value, { maximumFractionDigits: 20 });
  // A day has no zone: it is read and written as one of UTC.
  if (type === 'date') return format.dateTime(new Date(value), 'day', { timeZone: 'UTC' });
  return <SafeText value={value} most={VALUE_LENGTH} />;
}
