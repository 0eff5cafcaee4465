import { Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmptyView, QueryView } from '../../../ui/state-views.tsx';
import { figuresQuery, statisticsQuery } from '../queries.ts';
import '../words.ts';

const route = getRouteApi('/');
const OUTCOMES = ['autoApproved', 'approved', 'denied', 'expired', 'ignored', 'pending'] as const;

function Figure({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <Paper className="gh-card">
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text fz={28} fw={650}>
        {children}
      </Text>
    </Paper>
  );
}

function Figures() {
  const words = useTranslations('overview');
  const search = route.useSearch();
  const median = useQuery(statisticsQuery(search)).data?.medianSecondsToDecision;
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
            <Text span fz={median === null ? 16 : 28}>
              {typeof median === 'number' ? words('seconds', { seconds: Math.round(median) }) : words('noDecision')}
            </Text>
          </Figure>
        </SimpleGrid>
      )}
    </QueryView>
  );
}

type Bucket = Readonly<Record<(typeof OUTCOMES)[number], number>> & { readonly from: string };

function PerDay() {
  const words = useTranslations('overview');
  const format = useFormatter();
  const search = route.useSearch();
  const columns: readonly Column<Bucket>[] = [
    {
      id: 'day',
      header: words('day'),
      cell: ({ from }) => format.dateTime(new Date(from), { weekday: 'short', day: 'numeric', month: 'short' }),
    },
    ...OUTCOMES.map((name) => ({ id: name, header: words(name), cell: (bucket: Bucket) => bucket[name] })),
  ];
  const isUsed = (bucket: Bucket) => OUTCOMES.some((name) => bucket[name] > 0);
  return (
    <Stack>
      <Title order={2}>{words('perDay')}</Title>
      <QueryView query={useQuery(statisticsQuery(search))}>
        {({ buckets }) => {
          const days = buckets.filter(isUsed).reverse();
          return days.length === 0 ? (
            <EmptyView
              title={words('none')}
              text={words('first')}
              action={<Link to="/orgs">{words('firstLink')}</Link>}
            />
          ) : (
            <DataTable label={words('perDay')} columns={columns} rows={days} idOf={({ from }) => from} />
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
      <Figures />
      <PerDay />
    </Page>
  );
}
