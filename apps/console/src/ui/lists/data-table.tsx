import { ActionIcon, Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import type { Operation } from '../../api/generated/access.ts';
import { useCan } from '../../api/me.ts';
import { IconArrowDown, IconArrowUp, IconChevronLeft, IconChevronRight } from '../icons.tsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useDeferredRows } from './deferred-rows.ts';

export interface Column<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The server's name for sorting by this column. */
  readonly sort?: string;
  /** Holds little: shown on the card of a phone without its label. */
  readonly bare?: boolean;
  /** Holds names that should not break, such as those of programs. */
  readonly wide?: boolean;
  /** The operation that the column offers: absent for those who may not do it. */
  readonly needs?: Operation;
}

export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly change: (ids: ReadonlySet<string>) => void;
}

const WIDE = '13rem';

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** `field` or `-field`. */
  readonly sort?: string | undefined;
  readonly onSort?: (sort: string) => void;
  readonly selection?: Selection;
  /** Further attributes of a row, such as its state. */
  readonly rowProps?: (row: Row) => Readonly<Record<string, unknown>>;
}

type Order = Required<Pick<DataTableProps<never>, 'onSort'>> & Pick<DataTableProps<never>, 'sort'>;

function SortButton({ header, name, sort, onSort }: Order & Record<'header' | 'name', string>) {
  const words = useTranslations('ui');
  const Icon = sort === name ? IconArrowUp : sort === `-${name}` ? IconArrowDown : null;
  return (
    <UnstyledButton
      className="gh-sort"
      aria-label={words('sortBy', { column: header })}
      onClick={() => onSort(sort === name ? `-${name}` : name)}
    >
      <Group gap={4} wrap="nowrap" component="span">
        {header}
        {Icon && <Icon size={14} aria-hidden />}
      </Group>
    </UnstyledButton>
  );
}

const ariaSort = (name: string | undefined, sort: string | undefined) => {
  if (name === undefined || sort === undefined) return undefined;
  if (sort === name) return 'ascending' as const;
  return sort === `-${name}` ? ('descending' as const) : undefined;
};

function HeaderRow<Row>({ columns, rows, idOf, sort, onSort, selection }: DataTableProps<Row>) {
  const words = useTranslations('ui');
  const ids = rows.map(idOf);
  const chosen = ids.filter((one) => selection?.ids.has(one)).length;
  return (
    <Table.Tr>
      {selection && (
        <Table.Th w={44}>
          <Checkbox
            aria-label={words('selectAll')}
            checked={chosen > 0 && chosen === ids.length}
            indeterminate={chosen > 0 && chosen < ids.length}
            onChange={({ currentTarget }) => selection.change(new Set(currentTarget.checked ? ids : []))}
          />
        </Table.Th>
      )}
      {columns.map(({ id, header, sort: name, wide }) => (
        <Table.Th key={id} scope="col" miw={wide ? WIDE : undefined} aria-sort={ariaSort(name, sort)}>
          {name && onSort ? <SortButton {...{ header, name, sort, onSort }} /> : header}
        </Table.Th>
      ))}
    </Table.Tr>
  );
}

function BodyRow<Row>({ row, columns, idOf, selection, rowProps }: DataTableProps<Row> & { readonly row: Row }) {
  const words = useTranslations('ui');
  const own = idOf(row);
  const toggle = () => {
    const next = new Set(selection?.ids);
    if (!next.delete(own)) next.add(own);
    selection?.change(next);
  };
  return (
    <Table.Tr data-row={own} {...rowProps?.(row)}>
      {selection && (
        <Table.Td>
          <Checkbox aria-label={words('selectRow')} checked={selection.ids.has(own)} onChange={toggle} />
        </Table.Td>
      )}
      {columns.map(({ id, header, cell, bare }) => (
        <Table.Td key={id} data-label={bare ? undefined : header}>
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

/** A list as a table, and below 640 px as cards. The server sorts, filters and pages. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, idOf } = props;
  const can = useCan();
  const columns = props.columns.filter(({ needs }) => needs === undefined || can(needs));
  const rows = useDeferredRows(props.rows);
  return (
    <div className="gh-table" role="region" aria-label={label} tabIndex={0}>
      <Table verticalSpacing="xs" highlightOnHover aria-label={label}>
        <Table.Thead>
          <HeaderRow {...props} columns={columns} />
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <BodyRow key={idOf(row)} row={row} {...props} columns={columns} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

export interface Pagination {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
}

interface PagerProps {
  readonly pagination: Pagination;
  /** How many rows are held back: not counted, as they are not shown. */
  readonly arrived?: number;
  readonly onPage: (page: number) => void;
}

/** Goes from page to page of a list. */
export function Pager({ pagination: { page, limit, total }, arrived = 0, onPage }: PagerProps) {
  const words = useTranslations('ui');
  const pages = Math.max(1, Math.ceil(total / limit));
  // Disabled by its attribute, the button that has turned to the last page would lose the focus.
  const turn = (to: number) => {
    const isNone = to < 1 || to > pages;
    const off = isNone && ({ 'data-disabled': true, 'aria-disabled': true } as const);
    return { variant: 'default', size: 'lg', onClick: () => isNone || onPage(to), ...off } as const;
  };
  return (
    <Group justify="space-between" component="nav" aria-label={words('page', { page, pages })}>
      <Text className="gh-hint">{words('total', { total: total - arrived })}</Text>
      {pages > 1 && (
        <Group gap="xs">
          <ActionIcon {...turn(page - 1)} aria-label={words('previousPage')}>
            <IconChevronLeft size={16} />
          </ActionIcon>
          <Text size="sm">{words('page', { page, pages })}</Text>
          <ActionIcon {...turn(page + 1)} aria-label={words('nextPage')}>
            <IconChevronRight size={16} />
          </ActionIcon>
        </Group>
      )}
    </Group>
  );
}
