import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { RulesTabs } from '../../../ui/area-tabs.tsx';
import { Page } from '../../../ui/page.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { WithOrganization } from '../../../ui/place/organization-screen.tsx';
import { QueryView } from '../../../ui/state-views.tsx';
import { CandidateTable } from '../replays/candidate-table.tsx';
import { type Replay, replaysQuery } from '../replays/queries.ts';
import { StateBadge } from '../replays/replay-summary.tsx';
import { StartForm } from '../replays/start-form.tsx';
import { keepCandidate, useCandidate } from '../replays/candidate.ts';
import { rulesQuery } from '../queries.ts';

const route = getRouteApi('/orgs/$orgId/replays');

function useColumns(orgId: string): readonly Column<Replay>[] {
  const words = useTranslations('rules.replays');
  const effectWords = useTranslations('rules.effect');
  return [
    {
      id: 'name',
      header: words('name'),
      cell: ({ jobId, name }) => (
        <Link to="/orgs/$orgId/replays/$replayId" params={{ orgId, replayId: jobId }} data-open>
          {name ?? words('unnamed')}
        </Link>
      ),
    },
    { id: 'created', header: words('created'), cell: ({ createdAt }) => <Instant at={createdAt} /> },
    { id: 'state', header: words('state'), cell: ({ state }) => <StateBadge state={state} /> },
    {
      id: 'summary',
      header: words('summary'),
      cell: ({ summary }) =>
        summary && effectWords('changed', { changed: summary.changed, total: summary.totalScanned }),
    },
  ];
}

/** The fifty newest replays of the organisation. */
function Past({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('rules.replays');
  const columns = useColumns(orgId);
  return (
    <Stack gap="xs">
      <Title order={2}>{words('past')}</Title>
      <QueryView query={useQuery(replaysQuery(orgId))}>
        {(replays) =>
          replays.length === 0 ? (
            <Text c="dimmed">{words('none')}</Text>
          ) : (
            <DataTable label={words('past')} columns={columns} rows={replays} idOf={({ jobId }) => jobId} />
          )
        }
      </QueryView>
    </Stack>
  );
}

function Candidate({ orgId }: { readonly orgId: string }) {
  const words = useTranslations('rules.replays');
  const candidate = useCandidate(orgId);
  return (
    <QueryView query={useQuery(rulesQuery(orgId))}>
      {(rules) => {
        const shared = { orgId, rules, candidate, onChange: keepCandidate.bind(null, orgId) };
        return (
          <div className="gh-columns">
            <Stack gap="xs">
              <Title order={2}>{words('candidate')}</Title>
              <Text size="sm">{words('candidateText')}</Text>
              <CandidateTable {...shared} />
            </Stack>
            <StartForm {...shared} />
          </div>
        );
      }}
    </QueryView>
  );
}

/** Tries out changes of the rules on the requests of the past, before anything changes. */
export function ReplayList() {
  const words = useTranslations('rules.replays');
  const { orgId } = route.useParams();
  const mayTry = useCan()('POST /pam/replays');
  return (
    <WithOrganization orgId={orgId}>
      <Page
        title={words('title')}
        actions={
          mayTry && (
            <Button component={Link} variant="default" to="/orgs/$orgId/rules/new" params={{ orgId } as never}>
              {words('addRule')}
            </Button>
          )
        }
      >
        <RulesTabs />
        {mayTry && <Candidate orgId={orgId} />}
        <Past orgId={orgId} />
      </Page>
    </WithOrganization>
  );
}
