import { ok } from '@gatehouse/client';
import { Button, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { useOnline } from '../../api/browser.ts';
import { useCan, useMe } from '../../api/me.ts';
import { notifyRefused } from '../notify.ts';
import { SafeText } from '../text/safe-text.tsx';
import { useBefore } from '../text/time.tsx';
import { type ElevationRequest, useRequestAct } from './request.ts';
import './words.ts';

const send = ({ id, taken }: { readonly id: string; readonly taken: boolean }) => {
  const params = { path: { id } };
  return ok(
    taken
      ? api.POST('/pam/elevation-requests/{id}/take', { params })
      : api.POST('/pam/elevation-requests/{id}/release', { params }),
  );
};

/** Who looks at a pending request, and the button by which a person tells colleagues. It keeps no other person out. */
export function Taking({ request }: { readonly request: ElevationRequest }) {
  const words = useTranslations('elevation.taking');
  const { id, takenBy, takenByName, takenUntil } = request;
  const { user } = useMe();
  const online = useOnline();
  const mayTake = useCan()('POST /pam/elevation-requests/{id}/take');
  const isTaken = useBefore(takenUntil);
  const isMine = isTaken && takenBy === user.id;
  const act = useRequestAct(send);
  return (
    <>
      {isTaken && !isMine && (
        <Text size="sm" fw={500} data-taken>
          {words.rich('by', { name: takenByName ?? '', thing: (name) => <SafeText value={[name].flat().join('')} /> })}
        </Text>
      )}
      {mayTake && (
        <Button
          size="compact-sm"
          variant={isMine ? 'light' : 'subtle'}
          aria-pressed={isMine}
          disabled={!online}
          loading={act.isPending}
          onClick={() => act.mutate({ id, taken: !isMine }, { onError: notifyRefused })}
        >
          {words('own')}
        </Button>
      )}
    </>
  );
}
