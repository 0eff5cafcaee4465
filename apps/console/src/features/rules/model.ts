import type { BodyOf, DataOf } from '@gatehouse/client';
import type { RequestDetail } from '../../ui/elevation/request.ts';

export type Rule = DataOf<'/pam/rules', 'get'>['rules'][number];
export type NewRule = BodyOf<'/pam/rules', 'post'>;
export type RuleChange = BodyOf<'/pam/rules/{id}', 'patch'>;
export type Verdict = Rule['verdict'];

export const VERDICTS = ['auto_approve', 'require_approval', 'auto_deny', 'ignore'] as const;

/** The criteria of a rule: the member of the API that holds the value, and its name in `matchNegate`. */
export const CRITERIA = {
  hash: 'matchHash',
  signer: 'matchSigner',
  signerGroup: 'matchSignerGroupId',
  pathGlob: 'matchPathGlob',
  parentImage: 'matchParentImage',
  commandLine: 'matchCommandLine',
  user: 'matchUser',
  adGroup: 'matchAdGroup',
  toolName: 'matchToolName',
  riskTier: 'matchRiskTier',
} as const;
export type Criterion = keyof typeof CRITERIA;
export const CRITERION_NAMES = Object.keys(CRITERIA) as readonly Criterion[];

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
};

export function draftOf(rule: Rule): Draft {
  const present = CRITERION_NAMES.filter((name) => rule[CRITERIA[name]] !== null);
  return {
    name: rule.name,
    verdict: rule.verdict,
    minutes: rule.approvalDurationMinutes ?? '',
    priority: rule.priority,
    siteId: rule.siteId,
    enabled: rule.enabled,
    criteria: Object.fromEntries(present.map((name) => [name, String(rule[CRITERIA[name]])])),
    negated: rule.matchNegate ?? [],
    timeWindow: rule.timeWindow,
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
    approvalDurationMinutes: draft.minutes === '' ? null : draft.minutes,
    matchNegate: negated.length > 0 ? [...negated] : null,
    ...(draft.priority !== '' && { priority: draft.priority }),
    ...(Object.fromEntries(matches) as Partial<NewRule>),
  };
}

/** The members in which a draft differs from the rule that it began with. */
export function changesOf(rule: Rule, draft: Draft): RuleChange {
  const before: Readonly<Record<string, unknown>> = bodyOf(draftOf(rule));
  const entries = Object.entries(bodyOf(draft));
  return Object.fromEntries(entries.filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

export const STRICTNESS = ['file', 'signer_folder', 'signer'] as const;
export type Strictness = (typeof STRICTNESS)[number];

const folderOf = (path: string): string => path.replace(/[^\\/]*$/, '');
/** A glob has no way to write these characters themselves. */
const isLiteral = (path: string): boolean => !/[*?]/.test(path);

function criteriaFrom(request: RequestDetail, strictness: Strictness): Draft['criteria'] | null {
  const { targetExecutableHash: hash, targetExecutableSigner: signer, targetExecutablePath: path } = request;
  if (strictness === 'file') return hash ? { hash } : null;
  if (!signer) return null;
  if (strictness === 'signer') return { signer };
  return path && isLiteral(path) ? { signer, pathGlob: `${folderOf(path)}**` } : null;
}

/** A draft of a rule that fits a request; null if the request lacks what it needs. */
export function draftFrom(request: RequestDetail, strictness: Strictness): Draft | null {
  const criteria = request.toolName ? { toolName: request.toolName } : criteriaFrom(request, strictness);
  const name = request.toolName ?? request.targetExecutablePath?.split(/[\\/]/).at(-1) ?? '';
  return criteria && { ...EMPTY_DRAFT, name, criteria };
}

/** Whether a draft grants by a name alone, which any program can carry: it needs a second press. */
export const isRisky = ({ verdict, criteria }: Draft): boolean =>
  verdict === 'auto_approve' && !criteria.hash && !criteria.signer && !criteria.signerGroup && !criteria.toolName;
