import { Badge, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx';
import { Page } from '../../../ui/page.tsx';
import { ErrorView, LoadingView } from '../../../ui/state-views.tsx';
import { Instant } from '../../../ui/text/time.tsx';
import { SERVICES, serviceQuery, type ServiceState } from '../queries.ts';

interface Row {
  readonly service: string;
  /** Null when the service did not answer. */
  readonly state: ServiceState | null;
}

const isDenied = (error: unknown): boolean => (error as { status?: number } | null)?.status === 403;

function State({ state }: Pick<Row, 'state'>) {
  const words = useTranslations('system.health');
  const lost = (state?.parts ?? []).filter(({ isUp }) => !isUp).map(({ part }) => words(`parts.${part}`));
  const [color, text] = !state
    ? (['red', words('silent')] as const)
    : lost.length > 0
      ? (['orange', words('lost', { parts: lost.join(', ') })] as const)
      : (['green', words('working')] as const);
  return (
    <Badge color={color} data-status>
      {text}
    </Badge>
  );
}

function useColumns(): readonly Column<Row>[] {
  const words = useTranslations('system.health');
  const { number } = useFormatter();
  const count = (value: number | null | undefined) => (value === null || value === undefined ? '–' : number(value));
  const outbox = ({ outboxDepth, outboxAgeSeconds }: ServiceState) =>
    outboxDepth
      ? words('outboxAge', { count: number(outboxDepth), seconds: outboxAgeSeconds ?? 0 })
      : count(outboxDepth);
  const pending = ({ streams }: ServiceState) =>
    streams.reduce((sum, one) => sum + one.pending + one.unacknowledged, 0);
  return [
    { id: 'service', header: words('service'), cell: ({ service }) => service },
    { id: 'state', header: words('state'), cell: ({ state }) => <State state={state} /> },
    { id: 'version', header: words('version'), cell: ({ state }) => state?.version ?? '–' },
    { id: 'since', header: words('since'), cell: ({ state }) => (state ? <Instant at={state.startedAt} /> : '–') },
    { id: 'outbox', header: words('outbox'), cell: ({ state }) => (state ? outbox(state) : '–') },
    { id: 'streams', header: words('streams'), cell: ({ state }) => (state ? count(pending(state)) : '–') },
    { id: 'deadLetters', header: words('deadLetters'), cell: ({ state }) => count(state?.deadLetters) },
  ];
}

/** How the services of the installation are: for its operators. */
export function ServiceHealth() {
  const words = useTranslations('system.health');
  const columns = useColumns();
  const results = useQueries({ queries: SERVICES.map(serviceQuery) });
  const denied = results.find(({ error }) => isDenied(error));
  const rows = SERVICES.map((service, at): Row => {
    const { data = null, isError = true } = results[at] ?? {};
    return { service, state: isError ? null : data };
  });
  const letters = rows.some(({ state }) => (state?.deadLetters ?? 0) > 0);
  return (
    <Page title={words('title')}>
      {denied ? (
        <ErrorView error={denied.error} />
      ) : results.some(({ isPending }) => isPending) ? (
        <LoadingView />
      ) : (
        <>
          <Text className="gh-hint">{words('text')}</Text>
          <DataTable label={words('title')} columns={columns} rows={rows} idOf={({ service }) => service} />
          {letters && <Text size="sm">{words('deadLettersText')}</Text>}
        </>
      )}
    </Page>
  );
}
