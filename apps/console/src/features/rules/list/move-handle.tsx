import { ActionIcon, Group, Text } from '@mantine/core';
import { IconGripVertical } from '../../../ui/icons.tsx';
import type { KeyboardEvent } from 'react';
import { useTranslations } from 'use-intl';
import { useCan } from '../../../api/me.ts';
import type { Rule } from '../model.ts';
import type { Order } from './use-order.ts';

export interface OrderedRuleProps {
  readonly rule: Rule;
  readonly order: Order;
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The place of a rule, with a handle that is dragged, or moved with the arrow keys. */
export function MoveHandle({ rule, order }: OrderedRuleProps) {
  const words = useTranslations('rules.move');
  const place = order.placeOf(rule);
  const mayMove = useCan()('PUT /pam/rules/order');
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    order.move(rule, place + step);
  };
  return (
    <Group gap={4} wrap="nowrap">
      {mayMove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          draggable
          className="gh-handle"
          data-handle={rule.id}
          aria-label={words('handle', { name: rule.name, place: place + 1 })}
          onKeyDown={onKeyDown}
          onDragStart={() => order.drag(rule)}
          onDragEnd={() => order.drag(null)}
        >
          <IconGripVertical size={16} aria-hidden />
        </ActionIcon>
      )}
      <Text size="sm">{place + 1}</Text>
    </Group>
  );
}

/** The attributes of a row that a dragged rule can be dropped on. */
export const dropTarget = (order: Order) => (rule: Rule) =>
  order.dragged === null
    ? {}
    : {
        'data-drop': order.dragged.id === rule.id ? undefined : true,
        onDragOver: (event: React.DragEvent) => event.preventDefault(),
        onDrop: (event: React.DragEvent) => {
          event.preventDefault();
          if (order.dragged) order.move(order.dragged, order.placeOf(rule));
          order.drag(null);
        },
      };
