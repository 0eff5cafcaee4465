import { ok } from '@gatehouse/client';
import { Button, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { api } from '../../api/client.ts';
import { serverNow, useOnline } from '../../api/browser.ts';
import { useCan, useMe } from '../../api/me.ts';
import { notifyRefused } from '../notify.ts';
import { SafeText } from '../text/safe-text.tsx';
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

/** Whether the time is still to come; it ends without an event. */
function useBefore(until: string | null): boolean {
  const left = until === null ? 0 : Date.parse(until) - serverNow();
  const [, end] = useState(0);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => end((count) => count + 1), left);
    return () => clearTimeout(timer);
  }, [left]);
  return left > 0;
}

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
