import { type BodyOf, CRITERIA, type DataOf } from '@gatehouse/client';

export type ListedRule = DataOf<'/pam/rules', 'get'>['rules'][number];
/** A rule of one organisation. */
export type Rule = ListedRule & { readonly orgId: string };
/** Where a rule of the partner stands: before the rules of organisations, or after them. */
export type Precedence = NonNullable<ListedRule['precedence']>;
/** A rule of the partner. */
export type PartnerRule = ListedRule & { readonly orgId: null; readonly precedence: Precedence };
export type NewRule = BodyOf<'/pam/rules', 'post'>;
export type RuleChange = BodyOf<'/pam/rules/{id}', 'patch'>;
export type Verdict = Rule['verdict'];

export const VERDICTS = ['auto_approve', 'require_approval', 'auto_deny', 'ignore'] as const;
const STRICT: readonly Verdict[] = ['require_approval', 'auto_deny'];
/** What a rule may do at its place: one that comes before the rules of organisations only tightens. */
export const verdictsAt = (precedence: Precedence | null): readonly Verdict[] =>
  precedence === 'before' ? STRICT : VERDICTS;
export const PRECEDENCES = ['before', 'after'] as const;

export type Criterion = keyof typeof CRITERIA;
/** In the order in which they are listed: the hash, which names exactly one file, is the first. */
export const CRITERION_NAMES = [...new Set(['hash', ...Object.keys(CRITERIA)])] as readonly Criterion[];
/** Monday first, by the numbers that the API gives the days. */
const WEEK = [1, 2, 3, 4, 5, 6, 0] as const;

interface WithWeek {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

/** The days of a week in the order of the locale in which dates are written. */
export function weekOf(locale: string): readonly (typeof WEEK)[number][] {
  const known = new Intl.Locale(locale) as Intl.Locale & WithWeek;
  const { firstDay = 1 } = known.getWeekInfo?.() ?? known.weekInfo ?? {};
  return [...WEEK.slice(firstDay - 1), ...WEEK.slice(0, firstDay - 1)];
}

/** A rule while it is edited: texts as they stand in the fields. */
export interface Draft {
  readonly name: string;
  readonly verdict: Verdict;
  readonly minutes: number | '';
  readonly priority: number | '';
  readonly siteId: string | null;
  readonly enabled: boolean;
  /** The criteria that are part of the rule; absent ones are not. */
  readonly criteria: Readonly<Partial<Record<Criterion, string>>>;
  readonly negated: readonly Criterion[];
  readonly timeWindow: Rule['timeWindow'];
  /** A shadow rule is only watched: it decides nothing. */
  readonly mode: Rule['mode'];
  readonly expiresAt: string | null;
  /** The rule behind which it is to stand where the next one leaves no room for a priority of its own. */
  readonly after: string | null;
  /** Null for a rule of an organisation. */
  readonly precedence: Precedence | null;
  readonly optOut: ListedRule['optOut'];
}

export const EMPTY_DRAFT: Draft = {
  name: '',
  verdict: 'require_approval',
  minutes: '',
  priority: '',
  siteId: null,
  enabled: true,
  criteria: {},
  negated: [],
  timeWindow: null,
  mode: 'live',
  expiresAt: null,
  after: null,
  precedence: null,
  optOut: null,
};

/** A new rule of the partner. */
export const EMPTY_PARTNER_DRAFT: Draft = {
  ...EMPTY_DRAFT,
  verdict: 'auto_deny',
  precedence: 'before',
  optOut: 'none',
};

/** The draft at another place; what it may not do there becomes a question. */
export function placedAt(draft: Draft, precedence: Precedence): Draft {
  const fits = verdictsAt(precedence).includes(draft.verdict);
  return { ...draft, precedence, ...(!fits && { verdict: 'require_approval' }) };
}

const placeOf = ({ precedence, optOut }: ListedRule | NewRule): Pick<Draft, 'precedence' | 'optOut'> => ({
  precedence: precedence ?? null,
  optOut: optOut ?? null,
});

/** The draft of a rule that exists, or that the API proposes. */
export function draftOf(rule: ListedRule | NewRule): Draft {
  const present = CRITERION_NAMES.filter((name) => (rule[CRITERIA[name]] ?? null) !== null);
  return {
    name: rule.name,
    verdict: rule.verdict,
    minutes: rule.approvalDurationMinutes ?? '',
    priority: rule.priority ?? '',
    siteId: rule.siteId ?? null,
    enabled: rule.enabled ?? true,
    criteria: Object.fromEntries(present.map((name) => [name, String(rule[CRITERIA[name]])])),
    negated: rule.matchNegate ?? [],
    timeWindow: rule.timeWindow ?? null,
    mode: rule.mode ?? 'live',
    expiresAt: rule.expiresAt ?? null,
    after: null,
    ...placeOf(rule),
  };
}

/** Whether a draft has a name and a criterion, without which it is no rule. */
export const isComplete = ({ name, criteria }: Draft): boolean =>
  name.trim() !== '' && CRITERION_NAMES.some((one) => criteria[one]?.trim());

const valueOf = (name: Criterion, { criteria }: Draft): string | number | null => {
  const value = criteria[name]?.trim() ?? '';
  if (value === '') return null;
  return name === 'riskTier' ? Number(value) : value;
};

/** The whole rule for the API; absent criteria are null. */
export function bodyOf(draft: Draft): NewRule {
  const matches = CRITERION_NAMES.map((name) => [CRITERIA[name], valueOf(name, draft)]);
  const negated = draft.negated.filter((name) => valueOf(name, draft) !== null);
  return {
    name: draft.name.trim(),
    verdict: draft.verdict,
    siteId: draft.siteId,
    enabled: draft.enabled,
    timeWindow: draft.timeWindow,
    mode: draft.mode,
    expiresAt: draft.expiresAt,
    approvalDurationMinutes: draft.minutes === '' ? null : draft.minutes,
    matchNegate: negated.length > 0 ? [...negated] : null,
    ...(draft.priority !== '' && { priority: draft.priority }),
    ...(draft.precedence && { precedence: draft.precedence, optOut: draft.optOut ?? 'none' }),
    ...(Object.fromEntries(matches) as Partial<NewRule>),
  };
}

/** The members in which one draft differs from another. */
export function changesBetween(from: Draft, to: Draft): RuleChange {
  const before: Readonly<Record<string, unknown>> = bodyOf(from);
  const entries = Object.entries(bodyOf(to));
  return Object.fromEntries(entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

/** The members in which a draft differs from the rule that it began with. */
export const changesOf = (rule: ListedRule, draft: Draft): RuleChange => changesBetween(draftOf(rule), draft);

export interface Finding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning' | 'info';
  readonly otherRuleId: string | null;
  readonly detail: string;
  readonly suggestion: string | null;
}
type FindingCode = DataOf<'/pam/rules/lint', 'get'>['findings'][number]['code'];

const LENIENT: readonly Verdict[] = ['auto_approve', 'ignore'];
const grantsByNameAlone = ({ verdict, criteria }: Draft): boolean =>
  verdict === 'auto_approve' && !criteria.hash && !criteria.signer && !criteria.signerGroup && !criteria.toolName;

/** Whether a draft lets through what any program can pretend to be: it needs a second press. */
export const isRisky = (draft: Draft, findings: readonly Finding[]): boolean =>
  grantsByNameAlone(draft) ||
  (LENIENT.includes(draft.verdict) && findings.some(({ severity }) => severity === 'error'));

const withoutVerdict = ({ verdict: _verdict, ...rest }: Draft): string => JSON.stringify(rest);
/** Whether two drafts differ in what they make of a request, and in nothing else. */
export const onlyVerdictDiffers = (one: Draft, other: Draft): boolean =>
  one.verdict !== other.verdict && withoutVerdict(one) === withoutVerdict(other);

const isOwn = (rule: ListedRule): rule is Rule => rule.orgId !== null;
const isOfPartner = (rule: ListedRule): rule is PartnerRule => rule.orgId === null && rule.precedence !== null;

/** The rules of an organisation itself. */
export const ownRules = (rules: readonly ListedRule[]): Rule[] => rules.filter(isOwn);

/** The rules of a partner at one place. */
export const partnerRulesAt = (rules: readonly ListedRule[], place: Precedence): PartnerRule[] =>
  rules.filter(isOfPartner).filter(({ precedence }) => precedence === place);

/** The rules that reach an organisation, with its own in another order. */
export const withOwnRules = (rules: readonly ListedRule[], own: readonly Rule[]): ListedRule[] => [
  ...partnerRulesAt(rules, 'before'),
  ...own,
  ...partnerRulesAt(rules, 'after'),
];

/** Whether an organisation may leave a rule of its partner. */
export const optOutAllowed = ({ precedence, optOut }: Pick<PartnerRule, 'precedence' | 'optOut'>): boolean =>
  precedence === 'after' || optOut === 'allowed';
