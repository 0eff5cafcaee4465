import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { usePreferences } from '../../../shell/preferences.ts';
import { canReceivePushes, removePush, subscribeHere } from '../../../shell/worker/subscription.ts';
import { ConfirmButton, useAct } from '../../../ui/forms/act-button.tsx';
import { notifyDone, notifyRefused } from '../../../ui/notify.ts';
import { ActRow } from '../../../ui/rows/act-row.tsx';
import { browserNameOf } from '../../../ui/rows/session-facts.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { type Push, pushesQuery, testPush } from '../queries.ts';
import { Card, Mark } from './cards.tsx';

const CHANGES = ['account'];

function Subscribe() {
  const words = useTranslations('account');
  const act = useAct(CHANGES, subscribeHere);
  if (!canReceivePushes()) return <Text size="sm">{words('unsupported')}</Text>;
  const label = browserNameOf(navigator.userAgent) ?? words('thisDevice');
  const subscribed = () => {
    if (Notification.permission === 'granted') notifyDone(words('subscribed'));
  };
  return (
    <>
      <Button
        w="fit-content"
        loading={act.isPending}
        onClick={() => act.mutate(label, { onSuccess: subscribed, onError: notifyRefused })}
      >
        {words('subscribe')}
      </Button>
      {act.isSuccess && Notification.permission === 'denied' && (
        <Alert color="orange" variant="light" role="alert">
          {words('permissionDenied')}
        </Alert>
      )}
    </>
  );
}

/** What became of a test: the server waits for the answer of the push service. */
function Receipt({ push: { lastDeliveredAt, lastFailure } }: { readonly push: Push }) {
  const words = useTranslations('account');
  const failedLast = lastFailure && (!lastDeliveredAt || lastFailure.at > lastDeliveredAt);
  if (failedLast)
    return (
      <Text size="xs" c="red" component="div" role="status">
        {words(`failures.${lastFailure.reason}`)} <Instant at={lastFailure.at} />
      </Text>
    );
  if (!lastDeliveredAt)
    return (
      <Text size="xs" c="dimmed" role="status">
        {words('neverDelivered')}
      </Text>
    );
  return (
    <Text size="xs" c="dimmed" component="div" role="status">
      {words('delivered')} <Instant at={lastDeliveredAt} />
    </Text>
  );
}

function TestButton({ id }: { readonly id: string }) {
  const words = useTranslations('account');
  const act = useAct(CHANGES, testPush);
  const tested = ({ data }: Awaited<ReturnType<typeof testPush>>) => {
    if (!data.lastFailure || (data.lastDeliveredAt && data.lastDeliveredAt > data.lastFailure.at))
      notifyDone(words('tested'));
  };
  return (
    <Button
      size="xs"
      variant="default"
      loading={act.isPending}
      onClick={() => act.mutate(id, { onSuccess: tested, onError: notifyRefused })}
    >
      {words('test')}
    </Button>
  );
}

function OnePush({ push }: { readonly push: Push }) {
  const words = useTranslations('account');
  const own = usePreferences().push?.id === push.id;
  const name = push.label ?? push.kind;
  return (
    <ActRow
      act={
        <Group gap="xs">
          <TestButton id={push.id} />
          <ConfirmButton
            label={words('remove')}
            title={words('removePushTitle', { name })}
            size="xs"
            needs="DELETE /push-subscriptions/{id}"
            changes={CHANGES}
            act={() => removePush(push.id)}
          >
            {words('removePushText')}
          </ConfirmButton>
        </Group>
      }
    >
      <Group gap="xs">
        <Text size="sm">{name}</Text>
        {own && <Mark>{words('here')}</Mark>}
      </Group>
      <Receipt push={push} />
    </ActRow>
  );
}

/** Where the person is told of new approvals. */
export function Notifications() {
  const words = useTranslations('account');
  return (
    <Card title={words('pushes')}>
      <Text size="sm">{words('pushesText')}</Text>
      <Subscribe />
      <QueryView query={useQuery(pushesQuery)}>
        {(pushes) => pushes.map((push) => <OnePush key={push.id} push={push} />)}
      </QueryView>
    </Card>
  );
}
