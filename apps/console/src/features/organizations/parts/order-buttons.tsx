import { ActionIcon, Badge, Group } from '@mantine/core';
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useCan, useMe } from '../../../api/me.ts';
import { type Icon, IconArrowDown, IconArrowUp } from '../../../ui/icons.tsx';
import { notifyRefused } from '../../../ui/notify.ts';
import {
  inOrder,
  orderAfter,
  orderOrganizations,
  type Organization,
  type OrganizationPage,
  storedOrderQuery,
} from '../queries.ts';

/**
 * Changes the order in which the partner's lists show its organisations. It is on screen at once and taken back when
 * the server refuses it.
 * @param listed the query that holds the rows
 */
function useOrder(listed: QueryKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (order: readonly string[]) => orderOrganizations(order),
    onMutate: async (order) => {
      await queryClient.cancelQueries({ queryKey: listed });
      const before = queryClient.getQueryData<OrganizationPage>(listed);
      const reordered = (page: OrganizationPage | undefined) => page && { ...page, data: inOrder(page.data, order) };
      queryClient.setQueryData<OrganizationPage>(listed, reordered);
      return before;
    },
    onError: (error, _order, before) => {
      queryClient.setQueryData(listed, before);
      notifyRefused(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['organizations'] }),
  });
}

/** Whether this person sets the order: it is one for the whole partner. */
export function useMayOrder(): boolean {
  const { membership, scope } = useMe();
  return useCan()('PATCH /orgs/organizations/order') && scope === 'partner' && membership.orgAccess === 'all';
}

interface OrderButtonsProps {
  readonly row: Organization;
  readonly rows: readonly Organization[];
  readonly listed: QueryKey;
  /** Whether the rows are the first of all: an order that was never set can only begin with them. */
  readonly isFirstPage: boolean;
}

/** Moves an organisation up or down in the partner's lists. */
export function OrderButtons({ row: { id, name }, rows, listed, isFirstPage }: OrderButtonsProps) {
  const words = useTranslations('organizations');
  const stored = useQuery(storedOrderQuery).data;
  const order = useOrder(listed);
  const shown = rows.map((one) => one.id);
  const isKnown = stored !== undefined && (stored.length > 0 || isFirstPage);
  const at = shown.indexOf(id);
  const button = (label: string, neighbour: string | undefined, Icon: Icon) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={!neighbour || !isKnown || order.isPending}
      onClick={() => neighbour && order.mutate(orderAfter(stored ?? [], shown, { id, neighbour }))}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group gap={0} wrap="nowrap">
      {button(words('moveUp', { name }), shown[at - 1], IconArrowUp)}
      {button(words('moveDown', { name }), shown[at + 1], IconArrowDown)}
    </Group>
  );
}

const COLORS: Readonly<Partial<Record<Organization['status'], string>>> = {
  active: 'green',
  trial: 'blue',
  archived: 'gray',
  merging: 'orange',
  purging: 'red',
};

export function OrganizationStatus({ status }: Pick<Organization, 'status'>) {
  const words = useTranslations('organizations.statuses');
  return <Badge color={COLORS[status] ?? 'yellow'}>{words(status)}</Badge>;
}
