import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Rule } from '../model.ts';
import { priorityAfter } from '../order.ts';
import { rulesQuery } from '../queries.ts';

const SHOWN = 20;

interface AfterRuleProps {
  readonly orgId: string;
  /** The rule that is placed, which cannot stand behind itself. */
  readonly except?: string;
  readonly description?: string;
  /** @param priority one of its own right behind the rule; null where there is no room for it */
  readonly onChoose: (rule: Rule, priority: number | null) => void;
}

/** Names a place by the rule that stands before it, found by its name. */
export function AfterRule({ orgId, except, description, onChoose }: AfterRuleProps) {
  const words = useTranslations('rules.move');
  const { data: rules = [], isSuccess } = useQuery(rulesQuery(orgId));
  const [chosen, setChosen] = useState<string | null>(null);
  const others = rules.filter(({ id }) => id !== except);
  const choose = (id: string | null) => {
    const rule = others.find((one) => one.id === id);
    setChosen(id);
    if (rule) onChoose(rule, priorityAfter(rules, rule.id));
  };
  return (
    <Select
      label={words('after')}
      description={description}
      placeholder={words('afterPlaceholder')}
      searchable
      limit={SHOWN}
      nothingFoundMessage={isSuccess && words('noSuchRule')}
      data={others.map(({ id, name }) => ({
        value: id,
        label: `${rules.findIndex((one) => one.id === id) + 1}. ${name}`,
      }))}
      value={chosen}
      onChange={choose}
    />
  );
}
