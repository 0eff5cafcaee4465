import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { notifyRefused } from '../../../ui/notify.ts';
import { type Rule, withOwnRules } from '../model.ts';
import { displaced, placeAfter } from '../order.ts';
import { effectiveRulesQuery, reorderRules, useRuleAct } from '../queries.ts';

export interface Order {
  readonly count: number;
  readonly placeOf: (rule: Rule) => number;
  /** The place right behind another rule. */
  readonly placeAfter: (rule: Rule, other: Rule) => number;
  /** @param to the new place, from 0 */
  readonly move: (rule: Rule, to: number) => void;
  /** Says where the rule went, for a polite live region. */
  readonly said: string;
  /** The rule that is being dragged. */
  readonly dragged: Rule | null;
  readonly drag: (rule: Rule | null) => void;
}

/** Moves rules, one at a time; the handle of a moved rule keeps the focus. */
export function useOrder(orgId: string, rules: readonly Rule[]): Order {
  const words = useTranslations('rules.move');
  const queryClient = useQueryClient();
  const [said, setSaid] = useState('');
  const [dragged, drag] = useState<Rule | null>(null);
  const focused = useRef<string | null>(null);
  const ids = rules.map(({ id }) => id);
  const key = effectiveRulesQuery(orgId).queryKey;
  const act = useRuleAct((ruleIds: readonly string[]) => reorderRules(orgId, ruleIds));
  useEffect(() => {
    if (focused.current) document.querySelector<HTMLElement>(`[data-handle="${focused.current}"]`)?.focus();
    focused.current = null;
  }, [rules]);
  const move = (rule: Rule, to: number) => {
    const moving = displaced(ids, rule.id, to);
    if (moving.length === 0 || act.isPending) return;
    act.mutate(moving, {
      onSuccess: (ordered) => {
        if (document.activeElement?.getAttribute('data-handle') === rule.id) focused.current = rule.id;
        queryClient.setQueryData(key, (read) => read && { ...read, rules: [...withOwnRules(read.rules, ordered)] });
        const place = ordered.findIndex(({ id }) => id === rule.id) + 1;
        setSaid(words('said', { name: rule.name, place, count: ordered.length }));
      },
      onError: notifyRefused,
    });
  };
  return {
    count: ids.length,
    placeOf: ({ id }) => ids.indexOf(id),
    placeAfter: (rule, other) => placeAfter(ids, rule.id, other.id),
    move,
    said,
    dragged,
    drag,
  };
}
