import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { problemOf } from '../../../api/problem.ts';
import { ConfirmButton } from '../../../ui/forms/act-button.tsx';
import { notifyDone } from '../../../ui/notify.ts';
import { Page } from '../../../ui/page.tsx';
import { WithOrganization } from '../../../ui/place/organization-screen.tsx';
import { LoadingView, QueryView } from '../../../ui/state-views.tsx';
import { lazyPart } from '../../../ui/later/lazy-part.ts';
import { keepCandidate, UNCHANGED } from '../replays/candidate.ts';
import { applyReplay, cancelReplay, isUnderWay, type Replay, replayQuery } from '../replays/queries.ts';
import { StateBadge, Summary } from '../replays/replay-summary.tsx';
import { rulesQuery } from '../queries.ts';

/** Loaded when there are results. */
const ReplayChanges = lazyPart(async () => ({
  default: (await import('../replays/replay-changes.tsx')).ReplayChanges,
}));
const route = getRouteApi('/orgs/$orgId/replays/$replayId');

interface ReplayProps {
  readonly replay: Replay;
  readonly orgId: string;
}

/** Makes the changes; the number of new grants that was read here has to be the one that the server knows. */
function ApplyButton({ replay: { jobId, summary }, orgId }: ReplayProps) {
  const words = useTranslations('rules.replays');
  const navigate = useNavigate();
  // Who applies the replay becomes an editor too, which may leave another number.
  const [withMe, setWithMe] = useState<number | null>(null);
  if (summary === null) return null;
  const acceptNewlyApproved = withMe ?? summary.newlyAutoApproved;
  const done = () => {
    keepCandidate(orgId, UNCHANGED);
    notifyDone(words('applied'));
    void navigate({ to: '/rules', search: { org: orgId } });
  };
  return (
    <ConfirmButton
      label={words('apply')}
      title={words('applyTitle')}
      needs="POST /pam/replays/{id}/apply"
      variant="filled"
      changes={['rules']}
      act={async () => {
        try {
          return await applyReplay({ orgId, id: jobId, acceptNewlyApproved });
        } catch (error) {
          const number = problemOf(error)?.newlyAutoApproved;
          if (typeof number === 'number') setWithMe(number);
          throw error;
        }
      }}
      onDone={done}
    >
      {words('applyText', { count: acceptNewlyApproved })}
    </ConfirmButton>
  );
}

function UnderWay({ replay: { jobId, progress }, orgId }: ReplayProps) {
  const words = useTranslations('rules.replays');
  const share = progress.total === 0 ? 0 : (progress.done / progress.total) * 100;
  return (
    <Stack className="gh-card">
      <Text role="status">{words('progress', { ...progress })}</Text>
      <Progress value={share} aria-label={words('progress', { ...progress })} />
      <ConfirmButton
        label={words('cancel')}
        title={words('cancelTitle')}
        needs="POST /pam/replays/{id}/cancel"
        changes={['rules']}
        act={() => cancelReplay({ orgId, id: jobId })}
      >
        {words('cancelText')}
      </ConfirmButton>
    </Stack>
  );
}

function Result({ replay, orgId }: ReplayProps) {
  const words = useTranslations('rules.replays');
  const rules = useQuery(rulesQuery(orgId)).data ?? [];
  if (isUnderWay(replay)) return <UnderWay {...{ replay, orgId }} />;
  if (replay.summary === null) {
    return (
      <Alert color="red" variant="light">
        {replay.error ?? words(`states.${replay.state}`)}
      </Alert>
    );
  }
  return (
    <>
      <Summary summary={replay.summary} orgId={orgId} rules={rules} />
      <Suspense fallback={<LoadingView />}>
        <ReplayChanges />
      </Suspense>
    </>
  );
}

function OneReplay() {
  const words = useTranslations('rules.replays');
  const { orgId, replayId } = route.useParams();
  return (
    <QueryView query={useQuery(replayQuery(orgId, replayId))}>
      {(replay) => (
        <Page
          title={replay.name ?? words('unnamed')}
          aside={<StateBadge state={replay.state} />}
          actions={
            <>
              <Button component={Link} variant="default" to="/orgs/$orgId/replays" params={{ orgId } as never}>
                {words('back')}
              </Button>
              {replay.state === 'completed' && <ApplyButton {...{ replay, orgId }} />}
            </>
          }
        >
          <Result {...{ replay, orgId }} />
        </Page>
      )}
    </QueryView>
  );
}

/** One replay: its progress, what it found, and applying exactly that. */
export function ReplayPage() {
  return (
    <WithOrganization orgId={route.useParams().orgId}>
      <OneReplay />
    </WithOrganization>
  );
}
