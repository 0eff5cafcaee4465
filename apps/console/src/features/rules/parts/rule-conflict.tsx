import type { UseMutationResult } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { Members } from '../../../ui/conflicts/merge.ts';
import { type Choice, VersionConflict } from '../../../ui/conflicts/version-conflict.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import {
  bodyOf,
  CRITERIA,
  CRITERION_NAMES,
  type Draft,
  draftOf,
  type NewRule,
  type Rule,
  type Verdict,
} from '../model.ts';
import { readRule } from '../queries.ts';

const VALUE_LENGTH = 80;
const CRITERION_OF = Object.fromEntries(CRITERION_NAMES.map((name) => [CRITERIA[name] as string, name]));
const TITLES = {
  name: 'name',
  verdict: 'verdict',
  priority: 'priority',
  siteId: 'site',
  enabled: 'enabled',
  timeWindow: 'window',
  approvalDurationMinutes: 'minutes',
  matchNegate: 'negated',
  mode: 'watchOnly',
  expiresAt: 'expires',
} as const;
const isTitled = (member: string): member is keyof typeof TITLES => member in TITLES;

function useMemberNames(): (member: string) => string {
  const words = useTranslations('rules');
  return (member) => {
    const criterion = CRITERION_OF[member];
    if (criterion) return words(`criterion.${criterion}`);
    return isTitled(member) ? words(TITLES[member]) : member;
  };
}

/** The values of members, where they are not texts. */
function useShownValues(): (member: string, value: unknown) => React.ReactNode {
  const words = useTranslations('rules');
  const uiWords = useTranslations('ui');
  const format = useFormatter();
  return (member, value) => {
    if (value === null || value === undefined) return uiWords('none');
    if (typeof value === 'boolean') return uiWords(value ? 'yes' : 'no');
    if (member === 'verdict') return words(`verdicts.${value as Verdict}`);
    if (member === 'mode') return uiWords(value === 'shadow' ? 'yes' : 'no');
    if (member === 'expiresAt') return format.dateTime(new Date(String(value)), { dateStyle: 'medium' });
    return <SafeText value={typeof value === 'object' ? JSON.stringify(value) : String(value)} most={VALUE_LENGTH} />;
  };
}

interface RuleConflictProps {
  /** The rule that the draft began with. */
  readonly rule: Rule;
  readonly draft: Draft;
  readonly act: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'reset'>;
  readonly onChoose: (choice: Choice, stored: Rule, merged: Draft) => void;
}

/** Compares the draft with the rule as another person has saved it since it was opened. */
export function RuleConflict({ rule, draft, act, onChoose }: RuleConflictProps) {
  const nameOf = useMemberNames();
  const show = useShownValues();
  return (
    <VersionConflict
      error={act.error}
      read={() => readRule(rule.orgId, rule.id)}
      membersOf={(stored) => bodyOf(draftOf(stored)) as Members}
      base={bodyOf(draftOf(rule)) as Members}
      own={bodyOf(draft) as Members}
      {...{ nameOf, show }}
      onChoose={(choice, stored, merged) => {
        act.reset();
        onChoose(choice, stored, draftOf(merged as NewRule));
      }}
      onClose={act.reset}
    />
  );
}
