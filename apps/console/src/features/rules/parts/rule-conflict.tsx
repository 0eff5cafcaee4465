import { CRITERIA } from '@gatehouse/client';
import type { UseMutationResult } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import type { Members } from '../../../ui/conflicts/merge.ts';
import { type Choice, VersionConflict } from '../../../ui/conflicts/version-conflict.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import {
  bodyOf,
  CRITERION_NAMES,
  type Draft,
  draftOf,
  type ListedRule,
  type NewRule,
  type Precedence,
  type Verdict,
} from '../model.ts';
import { readRule } from '../queries.ts';
import '../partner-words.ts';

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
const PARTNER_TITLES = { precedence: 'precedence', optOut: 'mayLeave' } as const;
const isOfPartner = (member: string): member is keyof typeof PARTNER_TITLES => member in PARTNER_TITLES;

function useMemberNames(): (member: string) => string {
  const words = useTranslations('rules');
  const partnerWords = useTranslations('partnerRules');
  return (member) => {
    const criterion = CRITERION_OF[member];
    if (criterion) return words(`criterion.${criterion}`);
    if (isOfPartner(member)) return partnerWords(PARTNER_TITLES[member]);
    return isTitled(member) ? words(TITLES[member]) : member;
  };
}

/** The value that a switch stands for. */
const YES: Readonly<Record<string, string>> = { mode: 'shadow', optOut: 'allowed' };
const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** The values of members, where they are not texts. */
function useShownValues(): (member: string, value: unknown) => React.ReactNode {
  const words = useTranslations('rules');
  const partnerWords = useTranslations('partnerRules');
  const uiWords = useTranslations('ui');
  const format = useFormatter();
  return (member, value) => {
    if (value === null || value === undefined) return uiWords('none');
    if (typeof value === 'boolean') return uiWords(value ? 'yes' : 'no');
    if (member in YES) return uiWords(value === YES[member] ? 'yes' : 'no');
    if (member === 'verdict') return words(`verdicts.${value as Verdict}`);
    if (member === 'precedence') return partnerWords(`places.${value as Precedence}`);
    if (member === 'expiresAt') return format.dateTime(new Date(String(value)), 'day');
    return <SafeText value={textOf(value)} most={VALUE_LENGTH} />;
  };
}

interface RuleConflictProps {
  /** The rule that the draft began with. */
  readonly rule: ListedRule;
  readonly draft: Draft;
  readonly act: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'reset'>;
  readonly onChoose: (choice: Choice, stored: ListedRule, merged: Draft) => void;
}

/** Compares the draft with the rule as another person has saved it since it was opened. */
export function RuleConflict({ rule, draft, act, onChoose }: RuleConflictProps) {
  const nameOf = useMemberNames();
  const show = useShownValues();
  return (
    <VersionConflict
      about={rule.name}
      audited="pam.rule.update"
      error={act.error}
      read={() => readRule(rule.id)}
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
