import { Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { StatusBadge } from '../../../ui/elevation/badges.tsx';
import { shortNameOf } from '../../../ui/elevation/request.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { groupChoicesQuery } from '../groups/queries.ts';
import { ShownValue } from '../parts/device-table.tsx';
import {
  configurationQuery,
  type Device,
  fieldValuesQuery,
  recentRequestsQuery,
  systemOf,
  useDevice,
} from '../queries.ts';
import '../words.ts';

const NAME_LENGTH = 60;

function Capture({ id }: { readonly id: string }) {
  const words = useTranslations('devices');
  const pam = useQuery(configurationQuery(id)).data?.pam;
  return (
    pam && (
      <Link to="/devices/$deviceId/configuration" params={{ deviceId: id }}>
        {words(pam.uacInterceptionEnabled ? 'captureOn' : 'captureOff')}
      </Link>
    )
  );
}

/** The groups that the device is in. */
function Groups({ device: { orgId, groupIds } }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const groups = useQuery({ ...groupChoicesQuery(orgId), enabled: groupIds.length > 0 }).data ?? [];
  if (groupIds.length === 0) return words('noGroups');
  return (
    <Group gap="xs">
      {groups
        .filter(({ id }) => groupIds.includes(id))
        .map(({ id, name }) => (
          <Link key={id} to="/devices/groups/$groupId" params={{ groupId: id }}>
            {name}
          </Link>
        ))}
    </Group>
  );
}

/** The custom fields that have a value. */
function useFieldFacts(deviceId: string): readonly Fact[] {
  const values = useQuery(fieldValuesQuery(deviceId)).data ?? [];
  return values
    .filter(({ value }) => value !== null)
    .map((field) => ({ name: field.name, value: <ShownValue field={field} /> }));
}

function About({ device }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const fields = useFieldFacts(device.id);
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('about')}</Title>
      <Facts
        facts={[
          { name: words('host'), value: device.displayName && <SafeText value={device.hostname} /> },
          { name: words('system'), value: systemOf(device) },
          { name: words('agent'), value: device.agentVersion ?? words('noVersion') },
          { name: words('serial'), value: device.serialNumber && <SafeText value={device.serialNumber} /> },
          {
            name: words('seen'),
            value: device.lastSeenAt && <Instant at={device.lastSeenAt} siteId={device.siteId} />,
          },
          { name: words('enrolled'), value: <Instant at={device.createdAt} siteId={device.siteId} /> },
          { name: words('groups'), value: <Groups device={device} /> },
          { name: words('capture'), value: <Capture id={device.id} /> },
          ...fields,
        ]}
      />
    </Stack>
  );
}

function Elevations({ device }: { readonly device: Device }) {
  const words = useTranslations('devices');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('elevations')}</Title>
      <QueryView query={useQuery(recentRequestsQuery(device.id))}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Text c="dimmed">{words('noElevations')}</Text>
          ) : (
            requests.map((request) => (
              <Group key={request.id} gap="xs">
                <Link to="/requests/$requestId" params={{ requestId: request.id }}>
                  <SafeText value={shortNameOf(request)} most={NAME_LENGTH} />
                </Link>
                <StatusBadge status={request.status} />
                <Text className="gh-hint">
                  <Instant at={request.requestedAt} siteId={request.siteId} />
                </Text>
              </Group>
            ))
          )
        }
      </QueryView>
      <Link to="/devices/$deviceId/elevations" params={{ deviceId: device.id }}>
        {words('allElevations')}
      </Link>
    </Stack>
  );
}

/** What a device is, and what it asked for last. */
export function DeviceOverview() {
  const device = useDevice();
  return (
    <div className="gh-columns">
      <Elevations device={device} />
      <About device={device} />
    </div>
  );
}
