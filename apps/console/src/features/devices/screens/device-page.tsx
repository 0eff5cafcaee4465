import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmButton, FormButton } from '../../../ui/forms/act-button.tsx';
import { SecretOnce } from '../../../ui/forms/dialogs.tsx';
import { StatusBadge } from '../../../ui/elevation/badges.tsx';
import { FreezeButton } from '../../../ui/elevation/freeze-button.tsx';
import { shortNameOf } from '../../../ui/elevation/request.ts';
import { Facts } from '../../../ui/text/facts.tsx';
import { Page } from '../../../ui/page.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Instant } from '../../../ui/text/time.tsx';
import {
  configurationQuery,
  decommission,
  type Device,
  deviceQuery,
  fieldValuesQuery,
  moveDevice,
  recentRequestsQuery,
  rotateToken,
  sitesQuery,
} from '../queries.ts';
import { COLORS } from '../colors.ts';
import '../words.ts';

const route = getRouteApi('/devices/$deviceId');
const NAME_LENGTH = 60;

function Capture({ id }: { readonly id: string }) {
  const words = useTranslations('devices');
  const pam = useQuery(configurationQuery(id)).data?.pam;
  if (!pam) return null;
  const source = pam.source ? words('captureFrom', { level: pam.source.level }) : words('captureDefault');
  return (
    <>
      {words(pam.uacInterceptionEnabled ? 'captureOn' : 'captureOff')} ({source})
    </>
  );
}

function About({ device }: { readonly device: Device }) {
  const words = useTranslations('devices');
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('about')}</Title>
      <Facts
        facts={[
          { name: words('system'), value: [device.osType, device.osVersion].filter(Boolean).join(' ') },
          { name: words('agent'), value: device.agentVersion },
          { name: words('serial'), value: device.serialNumber && <SafeText value={device.serialNumber} /> },
          { name: words('seen'), value: device.lastSeenAt && <Instant at={device.lastSeenAt} /> },
          { name: words('enrolled'), value: <Instant at={device.createdAt} /> },
          { name: words('capture'), value: <Capture id={device.id} /> },
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
        {(requests) =>
          requests.length === 0 ? (
            <Text c="dimmed">{words('noElevations')}</Text>
          ) : (
            requests.map((request) => (
              <Group key={request.id} gap="xs">
                <Link to="/requests/$requestId" params={{ requestId: request.id }}>
                  <SafeText value={shortNameOf(request)} most={NAME_LENGTH} />
                </Link>
                <StatusBadge status={request.status} />
                <Text size="sm" c="dimmed">
                  <Instant at={request.requestedAt} />
                </Text>
              </Group>
            ))
          )
        }
      </QueryView>
      <Link to="/requests" search={{ device: device.id }}>
        {words('allElevations')}
      </Link>
    </Stack>
  );
}

/** The values of custom fields; absent while the library has no field. */
function FieldValues({ device }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const values = useQuery(fieldValuesQuery(device.id)).data ?? [];
  if (values.length === 0) return null;
  const shown = (value: (typeof values)[number]['value']) =>
    typeof value === 'boolean' ? words(value ? 'yes' : 'no') : value !== null && <SafeText value={String(value)} />;
  return (
    <Stack className="gh-card">
      <Title order={2}>{words('fields')}</Title>
      <Facts facts={values.map(({ name, value }) => ({ name, value: shown(value) }))} />
    </Stack>
  );
}

function Actions({ device }: { readonly device: Device }) {
  const words = useTranslations('devices');
  const { id, orgId, hostname } = device;
  const sites = useQuery(sitesQuery(orgId)).data ?? [];
  const [token, setToken] = useState<string | null>(null);
  if (device.status === 'decommissioned') return null;
  const choices = sites.map((site) => ({ value: site.id, label: site.name }));
  return (
    <>
      <FreezeButton level="device" targetId={id} name={hostname} />
      <FormButton
        label={words('move')}
        needs="POST /devices/{id}/move"
        variant="default"
        fields={[{ name: 'siteId', label: words('site'), kind: 'choice', choices, required: true }]}
        changes={['devices']}
        act={(values) => moveDevice(id, String(values['siteId']))}
        onDone={() => notifyDone(words('moved'))}
      />
      <ConfirmButton
        label={words('rotate')}
        title={words('rotateTitle', { name: hostname })}
        needs="POST /devices/{id}/agent-token/rotate"
        changes={['devices']}
        act={() => rotateToken(id)}
        onDone={({ agentToken }) => setToken(agentToken)}
      >
        {words('rotateText')}
      </ConfirmButton>
      <ConfirmButton
        label={words('decommission')}
        title={words('decommissionTitle', { name: hostname })}
        needs="POST /devices/{id}/decommission"
        name={hostname}
        changes={['devices']}
        act={() => decommission(id)}
      >
        {words('decommissionText')}
      </ConfirmButton>
      {token && <SecretOnce label={words('token')} secret={token} />}
    </>
  );
}

/** One device. */
export function DevicePage() {
  const words = useTranslations('devices');
  const { deviceId } = route.useParams();
  return (
    <QueryView query={useQuery(deviceQuery(deviceId))}>
      {(device) => (
        <Page
          title={device.displayName ?? device.hostname}
          aside={
            <Badge variant="light" tt="none" color={COLORS[device.status]} className="gh-status">
              {words(`states.${device.status}`)}
            </Badge>
          }
          actions={<Actions device={device} />}
        >
          <div className="gh-columns">
            <Elevations device={device} />
            <Stack>
              <About device={device} />
              <FieldValues device={device} />
            </Stack>
          </div>
        </Page>
      )}
    </QueryView>
  );
}
