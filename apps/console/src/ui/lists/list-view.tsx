import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type EmptyProps, EmptyView, QueryView } from '../state-views.tsx';
import { Pager, type Pagination } from './data-table.tsx';
import { type Held, HeldRows } from './held-rows.tsx';

interface ListViewProps<Answer, Row> {
  readonly query: UseQueryResult<Answer>;
  readonly rows: (answer: Answer) => readonly Row[];
  readonly empty: EmptyProps;
  readonly onPage: (page: number) => void;
  /** Of a live list, which holds back what arrives. */
  readonly held?: Held;
  readonly children: (rows: readonly Row[]) => ReactNode;
}

interface NoRowsProps {
  readonly pagination: Pagination | undefined;
  readonly empty: EmptyProps;
  readonly onPage: (page: number) => void;
}

/** Nothing in the list, or nothing on a page after its last, as when the rows of the last page are gone. */
export function NoRows({ pagination, empty, onPage }: NoRowsProps) {
  const words = useTranslations('ui');
  if (!pagination || pagination.total === 0 || pagination.page === 1) return <EmptyView {...empty} />;
  const last = Math.ceil(pagination.total / pagination.limit);
  return (
    <EmptyView
      title={words('pastEnd')}
      action={
        <Button variant="light" onClick={() => onPage(last)}>
          {words('lastPage')}
        </Button>
      }
    />
  );
}

/** A list that the server pages: its rows and the pager, or what to say when there are none. */
export function ListView<
  Answer extends { readonly pagination?: Pagination | undefined },
  Row extends { readonly id: string },
>({ query, rows: rowsOf, empty, onPage, held, children }: ListViewProps<Answer, Row>) {
  return (
    <QueryView query={query}>
      {(answer) => {
        const rows = rowsOf(answer);
        if (rows.length === 0) return <NoRows pagination={answer.pagination} {...{ empty, onPage }} />;
        const page = (shown: readonly Row[], arrived = 0) => (
          <>
            {children(shown)}
            {answer.pagination && <Pager pagination={answer.pagination} {...{ arrived, onPage }} />}
          </>
        );
        return held ? (
          <HeldRows {...held} rows={rows}>
            {page}
          </HeldRows>
        ) : (
          page(rows)
        );
      }}
    </QueryView>
  );
}
