import { Button, Group } from '@mantine/core';
import { ok } from '@gatehouse/client';
import { useDisclosure } from '@mantine/hooks';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { useCan } from '../../api/me.ts';
import { useOnline } from '../../api/browser.ts';
import { ReasonDialog } from '../forms/reason-dialog.tsx';
import { notifyDone, notifyRefused } from '../notify.ts';
import { Asked } from './badges.tsx';
import { type ElevationRequest, shortNameOf, useRequestAct } from './request.ts';
import './words.ts';

export const revoke = ({ id, reason }: { readonly id: string; readonly reason: string }) =>
  ok(api.POST('/pam/elevation-requests/{id}/revoke', { params: { path: { id } }, body: { reason } }));

const actuate = ({ id, deviceId }: ElevationRequest) =>
  ok(
    api.POST('/devices/{id}/actuate-elevation', {
      params: { path: { id: deviceId } },
      body: { elevationRequestId: id },
    }),
  );

/** Ends an elevation that is in force; the reason is required. */
function RevokeButton({ request, size = 'xs' }: { readonly request: ElevationRequest; readonly size?: string }) {
  const words = useTranslations('elevation');
  const [opened, dialog] = useDisclosure(false);
  const online = useOnline();
  const act = useRequestAct(revoke);
  const confirm = (reason = '') =>
    act.mutate(
      { id: request.id, reason },
      {
        onSuccess: () => {
          dialog.close();
          notifyDone(words('revoked'));
        },
      },
    );
  if (!useCan()('POST /pam/elevation-requests/{id}/revoke')) return null;
  return (
    <>
      <Button size={size} variant="light" color="red" disabled={!online} onClick={dialog.open}>
        {words('revoke')}
      </Button>
      <ReasonDialog
        title={words('revokeTitle', { what: shortNameOf(request) })}
        action={words('revoke')}
        about={<Asked request={request} />}
        color="red"
        required
        opened={opened}
        saving={act.isPending}
        error={act.error}
        onClose={dialog.close}
        onConfirm={confirm}
      />
    </>
  );
}

/** Lets the device act on an approved prompt. */
function ProceedButton({ request, size = 'xs' }: { readonly request: ElevationRequest; readonly size?: string }) {
  const words = useTranslations('elevation');
  const online = useOnline();
  const act = useRequestAct(actuate);
  const isReady = request.status === 'approved' && request.flowType === 'uac_intercept';
  if (!useCan()('POST /devices/{id}/actuate-elevation') || !isReady) return null;
  const press = () => act.mutate(request, { onSuccess: () => notifyDone(words('proceeding')), onError: notifyRefused });
  return (
    <Button size={size} variant="light" loading={act.isPending} disabled={!online} onClick={press}>
      {words('proceed')}
    </Button>
  );
}

const IN_FORCE = ['approved', 'auto_approved', 'actuating'];

/** What can be done about an elevation that was granted. */
export function WindowButtons({
  request,
  size = 'xs',
}: {
  readonly request: ElevationRequest;
  readonly size?: string;
}) {
  if (!IN_FORCE.includes(request.status)) return null;
  return (
    <Group gap="xs">
      <ProceedButton request={request} size={size} />
      <RevokeButton request={request} size={size} />
    </Group>
  );
}
