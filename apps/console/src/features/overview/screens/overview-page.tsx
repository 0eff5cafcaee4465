import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { FreezeBanner } from '../../../ui/elevation/freeze-banner.tsx';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { useOrg } from '../../../ui/use-org.tsx';
import { type Bucket, isUsed, OUTCOMES } from '../model.ts';
import { Attention } from '../parts/attention.tsx';
import { DayChart } from '../parts/day-chart.tsx';
import { FirstSteps } from '../parts/first-steps.tsx';
import { figuresQuery, statisticsQuery } from '../queries.ts';
import overviewWords from '../../../words/en/overview.json' with { type: 'json' };
import { addWords } from '../../../words/index.ts';

addWords({ overview: overviewWords });

const route = getRouteApi('/');
const MINUTE = 60;

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Paper className="gh-card">
      <Text className="gh-hint">{name}</Text>
      <Text fz={28} fw={650} component="div">
        {children}
      </Text>
    </Paper>
  );
}

/** How long half of the decisions took at most. */
function Median() {
  const words = useTranslations('overview');
  const median = useQuery(statisticsQuery(route.useSearch())).data?.medianSecondsToDecision;
  if (typeof median !== 'number')
    return (
      <Text span fz={16}>
        {words('noDecision')}
      </Text>
    );
  const seconds = Math.round(median);
  return seconds < MINUTE ? words('seconds', { seconds }) : words('minutes', { minutes: Math.round(seconds / MINUTE) });
}

function Figures() {
  const words = useTranslations('overview');
  const search = route.useSearch();
  return (
    <QueryView query={useQuery(figuresQuery(search))}>
      {({ waiting, active, offline }) => (
        <SimpleGrid cols={{ base: 2, md: 4 }}>
          <Figure name={words('waiting')}>
            <Link to="/approvals" search={search}>
              {waiting}
            </Link>
          </Figure>
          <Figure name={words('active')}>
            <Link to="/active" search={search}>
              {active}
            </Link>
          </Figure>
          <Figure name={words('offline')}>
            <Link to="/devices" search={{ ...search, status: 'offline' }}>
              {offline}
            </Link>
          </Figure>
          <Figure name={words('median')}>
            <Median />
          </Figure>
        </SimpleGrid>
      )}
    </QueryView>
  );
}

function useColumns(): readonly Column<Bucket>[] {
  const words = useTranslations('overview');
  const format = useFormatter();
  return [
    {
      id: 'day',
      header: words('day'),
      cell: ({ from }) => format.dateTime(new Date(from), { weekday: 'short', day: 'numeric', month: 'short' }),
    },
    ...OUTCOMES.map((name) => ({ id: name, header: words(name), cell: (bucket: Bucket) => bucket[name] })),
  ];
}

function PerDay() {
  const words = useTranslations('overview');
  const columns = useColumns();
  return (
    <Stack>
      <Title order={2}>{words('perDay')}</Title>
      <QueryView query={useQuery(statisticsQuery(route.useSearch()))}>
        {({ buckets }) => {
          const days = buckets.filter(isUsed).reverse();
          return days.length === 0 ? (
            <EmptyView title={words('none')} text={words('noneText')} />
          ) : (
            <>
              <DayChart buckets={buckets} />
              <DataTable label={words('perDay')} columns={columns} rows={days} idOf={({ from }) => from} />
            </>
          );
        }}
      </QueryView>
    </Stack>
  );
}

/** What an administrator looks at first: what waits, what is in force, and how the last two weeks went. */
export function OverviewPage() {
  const words = useTranslations('overview');
  return (
    <Page title={words('title')}>
      <FreezeBanner org={useOrg()} />
      <FirstSteps />
      <Figures />
      <div className="gh-beside">
        <Attention />
        <PerDay />
      </div>
    </Page>
  );
}
