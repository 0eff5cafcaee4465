import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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

/** A list that the server pages: its rows and the pager, or what to say when there are none. */
export function ListView<
  Answer extends { readonly pagination?: Pagination | undefined },
  Row extends { readonly id: string },
>({ query, rows: rowsOf, empty, onPage, held, children }: ListViewProps<Answer, Row>) {
  return (
    <QueryView query={query}>
      {(answer) => {
        const rows = rowsOf(answer);
        if (rows.length === 0) return <EmptyView {...empty} />;
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
