import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { useAct } from '../../../ui/forms/act-button.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import type { Provider } from '../model.ts';
import { beginTest, type BegunTest, connectionQuery, testQuery } from '../queries.ts';
import { Trace, type TracedAttempt } from './trace.tsx';

const COLORS = { success: 'green', parked: 'yellow', refused: 'red' } as const;

function Verdict({ attempt }: { readonly attempt: TracedAttempt }) {
  const words = useTranslations('signOn.attempts');
  const { result, trace } = attempt;
  return (
    <Stack>
      <Alert color={COLORS[result]} variant="light" role="status" title={words(`verdicts.${trace.verdict}`)}>
        <Text size="sm">{words(result === 'success' && trace.verdict !== 'not_told' ? 'proven' : 'notProven')}</Text>
      </Alert>
      <Trace steps={trace.steps} />
    </Stack>
  );
}

/** What came of a test sign-in; until it is done, that it is waited for. */
export function TestResult({ id, provider }: { readonly id: string; readonly provider?: Provider }) {
  const words = useTranslations('signOn.testSignIn');
  const query = useQuery(testQuery(id));
  const queryClient = useQueryClient();
  const isDone = query.data?.status === 'done';
  const hasPassed = query.data?.attempt?.result === 'success';
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: ['sign-on'] });
    if (hasPassed && provider) queryClient.setQueryData(connectionQuery(provider).queryKey, true);
  }, [isDone, hasPassed, provider, queryClient]);
  return (
    <QueryView query={query}>
      {({ status, attempt }) => {
        if (attempt) return <Verdict attempt={attempt} />;
        if (status === 'expired') return <Alert color="yellow">{words('expired')}</Alert>;
        return (
          <Group role="status">
            <Loader size="sm" />
            <Text size="sm">{words('waiting')}</Text>
          </Group>
        );
      }}
    </QueryView>
  );
}

/** Begins a test sign-in in a window of its own, and shows what comes of it. */
export function TestSignIn({ provider }: { readonly provider: Provider }) {
  const words = useTranslations('signOn.testSignIn');
  const act = useAct<void, BegunTest>([], () => beginTest(provider.id));
  if (!useCan()('POST /sso/providers/{id}/test-sign-ins')) return null;
  const begin = (): void =>
    act.mutate(undefined, { onSuccess: ({ url }) => void window.open(url, '_blank', 'noopener') });
  return (
    <Stack>
      <Text size="sm">{words('text')}</Text>
      <Group>
        <Button loading={act.isPending} onClick={begin}>
          {words('begin')}
        </Button>
        {act.data && (
          <Anchor size="sm" href={act.data.url} target="_blank" rel="noopener noreferrer">
            {words('again')}
          </Anchor>
        )}
      </Group>
      {act.error && <Refusal error={act.error} />}
      {act.data && <TestResult key={act.data.id} id={act.data.id} provider={provider} />}
    </Stack>
  );
}
