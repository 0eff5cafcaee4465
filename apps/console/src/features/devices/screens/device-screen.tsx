import { Alert, Badge, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Operation } from '../../../api/generated/access.ts';
import { useCan } from '../../../api/me.ts';
import { Page, Tabs } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { plainName } from '../../../ui/text/safe-text.tsx';
import { COLORS, type Device, deviceQuery } from '../queries.ts';
import { DeviceActions } from '../parts/device-actions.tsx';
import '../words.ts';

const TABS = [
  { tab: 'overview', to: '/devices/$deviceId', needs: 'GET /devices/{id}' },
  { tab: 'elevations', to: '/devices/$deviceId/elevations', needs: 'GET /pam/elevation-requests' },
  { tab: 'active', to: '/devices/$deviceId/active', needs: 'GET /pam/active' },
  { tab: 'configuration', to: '/devices/$deviceId/configuration', needs: 'GET /devices/{id}/effective-configuration' },
  { tab: 'fields', to: '/devices/$deviceId/fields', needs: 'GET /devices/{id}/custom-fields' },
  { tab: 'audit', to: '/devices/$deviceId/audit', needs: 'GET /audit-logs' },
] as const satisfies readonly { tab: string; to: string; needs: Operation }[];

function Parts({ device: { id, hostname } }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const can = useCan();
  return (
    <Tabs label={words('parts', { name: plainName(hostname) })}>
      {TABS.filter(({ needs }) => can(needs)).map(({ tab, to }) => (
        <Link key={tab} to={to} params={{ deviceId: id }} activeOptions={{ exact: true, includeSearch: false }}>
          {words(`tabs.${tab}`)}
        </Link>
      ))}
    </Tabs>
  );
}

/** The organisation and the site of a device, with the ways up. */
function Place({ device: { orgId, orgName, siteId, siteName } }: { readonly device: Device }) {
  return (
    <Text size="sm">
      <Link to="/orgs/$orgId" params={{ orgId }}>
        {orgName}
      </Link>
      {' ▸ '}
      <Link to="/devices" search={{ org: orgId, site: siteId }}>
        {siteName}
      </Link>
    </Text>
  );
}

/** Of which device a machine says that it is the same. */
function Returning({ device: { returnsAs } }: { readonly device: Device }) {
  const words = useTranslations('devices.returning');
  return (
    <Alert color="orange">
      {words('note')}{' '}
      {returnsAs && (
        <Link to="/devices/$deviceId" params={{ deviceId: returnsAs }}>
          {words('former')}
        </Link>
      )}
    </Alert>
  );
}

const route = getRouteApi('/devices/$deviceId');

/** What all tabs of a device share: its state, its place, what can be done to it, and the way to each tab. */
export function DeviceScreen() {
  const words = useTranslations('devices');
  const { deviceId } = route.useParams();
  return (
    <QueryView query={useQuery(deviceQuery(deviceId))}>
      {(device) => (
        <Page
          title={plainName(device.displayName ?? device.hostname)}
          aside={
            <Badge size="md" color={COLORS[device.status]}>
              {words(`states.${device.status}`)}
            </Badge>
          }
          actions={<DeviceActions device={device} />}
          orgId={device.orgId}
        >
          <Place device={device} />
          {device.status === 'awaiting_confirmation' && <Returning device={device} />}
          <Parts device={device} />
          <Outlet />
        </Page>
      )}
    </QueryView>
  );
}
