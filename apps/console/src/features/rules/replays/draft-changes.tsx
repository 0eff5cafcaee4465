import { Button, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { Refusal } from '../../../ui/forms/refusal.tsx';
import { Pager } from '../../../ui/lists/data-table.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { bodyOf, type Draft } from '../model.ts';
import { ChangeLine } from '../effect/changes.tsx';
import { useRuleAct } from '../queries.ts';
import { type Change, REF_LENGTH } from './candidate.ts';
import { isUnderWay, type Outcome, replayChangesQuery, replayQuery, startReplay } from './queries.ts';

interface DraftChangesProps {
  readonly orgId: string;
  readonly ruleId: string | undefined;
  readonly draft: Draft;
  readonly windowDays: number;
  readonly from: Outcome;
  readonly to: Outcome;
  readonly count: number;
}

/** The draft as the one change of a replay; a watched rule is replayed as if it decided. */
function changeOf({ ruleId, draft }: Pick<DraftChangesProps, 'ruleId' | 'draft'>): Change {
  const rule = { ...bodyOf(draft), mode: 'live' as const };
  return ruleId
    ? { op: 'update', ruleId, patch: rule }
    : { op: 'add', ref: draft.name.slice(0, REF_LENGTH) || 'draft', rule };
}

interface PagesProps {
  readonly orgId: string;
  readonly id: string;
  readonly from: Outcome;
  readonly to: Outcome;
}

function Pages(transition: PagesProps) {
  const [page, setPage] = useState(1);
  return (
    <QueryView query={useQuery(replayChangesQuery({ ...transition, page }))}>
      {({ changes, pagination }) => (
        <>
          {changes.map((request) => (
            <ChangeLine key={request.requestId} request={request} />
          ))}
          <Pager pagination={pagination} onPage={setPage} />
        </>
      )}
    </QueryView>
  );
}

function Found({ orgId, id, from, to }: PagesProps) {
  const words = useTranslations('rules.replays');
  return (
    <QueryView query={useQuery(replayQuery(orgId, id))}>
      {(replay) =>
        isUnderWay(replay) ? (
          <Stack gap={4}>
            <Text size="sm" role="status">
              {words('progress', { ...replay.progress })}
            </Text>
            <Progress value={100} animated size="sm" aria-label={words('progress', { ...replay.progress })} />
          </Stack>
        ) : (
          <Pages {...{ orgId, id, from, to }} />
        )
      }
    </QueryView>
  );
}

/** All requests behind a number of the effect: a replay of the draft finds and keeps them. */
export function DraftChanges({ count, ...draft }: DraftChangesProps) {
  const words = useTranslations('rules.effect');
  const act = useRuleAct(startReplay);
  const mayReplay = useCan()('POST /pam/replays');
  const { orgId, windowDays, from, to } = draft;
  const start = () => act.mutate({ orgId, windowDays, name: null, changes: [changeOf(draft)] });
  if (act.data) return <Found {...{ orgId, from, to }} id={act.data.jobId} />;
  return (
    <>
      <Refusal error={act.error} />
      {mayReplay && (
        <Button size="xs" variant="default" loading={act.isPending} onClick={start}>
          {words('showAll', { count })}
        </Button>
      )}
    </>
  );
}
