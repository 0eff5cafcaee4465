import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { notifyDone, notifyRefused } from '../../../ui/notify.ts';
import { Instant } from '../../../ui/text/time.tsx';
import { useAct } from '../../../ui/forms/use-act.ts';
import { canReceivePushes, removePush, subscribeHere } from '../../../shell/worker/subscription.ts';
import { pushesQuery, testPush } from '../queries.ts';
import { Card } from './cards.tsx';

function Subscribe() {
  const words = useTranslations('account');
  const act = useAct(['account'], subscribeHere);
  if (!canReceivePushes()) return <Text size="sm">{words('unsupported')}</Text>;
  const press = () =>
    act.mutate(words('thisDevice'), { onSuccess: () => notifyDone(words('subscribed')), onError: notifyRefused });
  return (
    <Button w="fit-content" loading={act.isPending} onClick={press}>
      {words('subscribe')}
    </Button>
  );
}

function TestButton({ id }: { readonly id: string }) {
  const words = useTranslations('account');
  const act = useAct(['account'], testPush);
  const press = () => act.mutate(id, { onSuccess: () => notifyDone(words('tested')), onError: notifyRefused });
  return (
    <Button size="xs" variant="default" loading={act.isPending} onClick={press}>
      {words('test')}
    </Button>
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
        {(pushes) =>
          pushes.map(({ id, label, kind, lastDeliveredAt, lastFailure }) => {
            const name = label ?? kind;
            return (
              <Group key={id} justify="space-between">
                <Stack gap={0}>
                  <Text size="sm">{name}</Text>
                  {lastDeliveredAt && (
                    <Text size="xs" c="dimmed">
                      {words('delivered')} <Instant at={lastDeliveredAt} />
                    </Text>
                  )}
                  {lastFailure && (
                    <Text size="xs" c="red">
                      {words(`failures.${lastFailure.reason}`)}
                    </Text>
                  )}
                </Stack>
                <Group gap="xs">
                  <TestButton id={id} />
                  <ConfirmButton
                    label={words('remove')}
                    title={words('removePushTitle', { name })}
                    size="xs"
                    needs="DELETE /push-subscriptions/{id}"
                    changes={['account']}
                    act={() => removePush(id)}
                  >
                    {words('removePushText')}
                  </ConfirmButton>
                </Group>
              </Group>
            );
          })
        }
      </QueryView>
    </Card>
  );
}
