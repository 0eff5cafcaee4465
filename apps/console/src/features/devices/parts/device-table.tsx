import { Badge } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { type Column, DataTable, type Selection } from '../../../ui/lists/data-table.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import type { Device } from '../queries.ts';
import { COLORS, systemOf } from '../states.ts';

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
      cell: ({ status }) => (
        <Badge size="sm" variant="light" tt="none" color={COLORS[status]} className="gh-status">
          {words(`states.${status}`)}
        </Badge>
      ),
    },
    {
      id: 'seen',
      header: words('seen'),
      cell: ({ lastSeenAt }) => (lastSeenAt ? <Instant at={lastSeenAt} /> : uiWords('never')),
    },
    { id: 'agent', header: words('agent'), cell: ({ agentVersion }) => agentVersion },
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
