import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { notifyDone, notifyRefused } from '../../../ui/notify.ts';
import { QueryView } from '../../../ui/state-views.tsx';
import { type Fact, Facts } from '../../../ui/text/facts.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import type { Rule } from '../model.ts';
import { shadowReportQuery, updateRule, useRuleAct } from '../queries.ts';
import { ChangeLine, Transitions } from '../effect/changes.tsx';

/** Apart, so that the report does not bring the editor of rules, which has the same field. */
const DaysField = lazyPart(async () => ({ default: (await import('../../../ui/forms/inputs.tsx')).DaysField }));

const USUAL_DAYS = 14;
const MAX_DAYS = 90;

interface ShadowReportProps {
  readonly rule: Rule;
  readonly onLive: () => void;
}

/** Makes the rule decide; one that lets something through asks once more. */
function LiveButton({ rule, onLive }: ShadowReportProps) {
  const words = useTranslations('rules.watching');
  const { id, orgId, version, verdict, name } = rule;
  const goLive = () => updateRule({ id, orgId, version, mode: 'live' });
  const act = useRuleAct(goLive);
  const mayChange = useCan()('PATCH /pam/rules/{id}');
  const onSuccess = () => {
    notifyDone(words('done', { name }));
    onLive();
  };
  if (verdict === 'auto_approve' || verdict === 'ignore') {
    const confirming = { changes: ['rules'], act: goLive, onDone: onSuccess };
    return (
      <ConfirmButton
        label={words('live')}
        title={words('liveTitle', { name })}
        needs="PATCH /pam/rules/{id}"
        {...confirming}
      >
        {words('liveText')}
      </ConfirmButton>
    );
  }
  if (!mayChange) return null;
  return (
    <Button
      variant="default"
      loading={act.isPending}
      onClick={() => act.mutate(undefined, { onSuccess, onError: notifyRefused })}
    >
      {words('live')}
    </Button>
  );
}

/** What a rule that is only watched would have done, and its promotion. */
export function ShadowReport({ rule, onLive }: ShadowReportProps) {
  const words = useTranslations('rules.watching');
  const [days, setDays] = useState(USUAL_DAYS);
  const query = useQuery(shadowReportQuery(rule.orgId, rule.id, days));
  return (
    <Stack className="gh-card">
      <Group justify="space-between">
        <Title order={2}>{words('title')}</Title>
        <Suspense fallback={null}>
          <DaysField label={words('days')} days={days} most={MAX_DAYS} onDays={setDays} />
        </Suspense>
      </Group>
      <QueryView query={query}>
        {({ since, hits, hitsIgnored, wouldChange, devices, outcomes, sample }) => {
          const facts: readonly Fact[] = [
            { name: words('since'), value: <Instant at={since} /> },
            { name: words('hits'), value: words('hitsText', { hits, wouldChange }) },
            { name: words('ignored'), value: hitsIgnored },
            { name: words('devices'), value: devices },
          ];
          return (
            <>
              <Facts facts={facts} />
              <Transitions transitions={outcomes} />
              {sample.map((request) => (
                <ChangeLine key={request.requestId} request={request} />
              ))}
              {hits === 0 && <Text c="dimmed">{words('none')}</Text>}
            </>
          );
        }}
      </QueryView>
      <Group>
        <LiveButton {...{ rule, onLive }} />
      </Group>
    </Stack>
  );
}
