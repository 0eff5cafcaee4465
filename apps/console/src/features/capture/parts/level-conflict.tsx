import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { type Choice, VersionConflict } from '../../../ui/conflicts/version-conflict.tsx';
import { SafeText } from '../../../ui/text/safe-text.tsx';
import { type LevelValues, placeIn, valuesOf } from '../model.ts';
import { type ApprovalPolicy, FLOW_TYPES, groupsQuery, readApprovalPolicy } from '../queries.ts';
import { sitesQuery } from '../../../ui/place/queries.ts';

/** A level in the policy that its change was made from. */
export interface LevelBase {
  readonly policy: ApprovalPolicy;
  readonly at: number;
}

interface LevelConflictProps {
  readonly base: LevelBase;
  readonly values: LevelValues;
  readonly act: Pick<UseMutationResult<unknown, Error, never>, 'error' | 'reset'>;
  readonly onChoose: (choice: Choice, stored: LevelBase, merged: LevelValues) => void;
}

/** The words for members that have other names than these. */
const NAMES = { name: 'levelName', siteIds: 'sites', deviceGroupIds: 'groups' } as const;
const hasOther = (member: string): member is keyof typeof NAMES => member in NAMES;

/** The values of a level in words: places and kinds of request by their names. */
function useShown(orgId: string) {
  const words = useTranslations('capture');
  const uiWords = useTranslations('ui');
  const places = [...(useQuery(sitesQuery(orgId)).data ?? []), ...(useQuery(groupsQuery(orgId)).data ?? [])];
  const nameOf = (value: unknown): string => {
    const flow = FLOW_TYPES.find((one) => one === value);
    return flow ? words(`flows.${flow}`) : (places.find(({ id }) => id === value)?.name ?? String(value));
  };
  return (_: string, value: unknown) => {
    if (typeof value === 'boolean') return uiWords(value ? 'yes' : 'no');
    const named = (Array.isArray(value) ? value : [value]).filter((one) => one !== null && one !== undefined);
    const text = named.map(nameOf).join(', ');
    return text === '' ? uiWords('none') : <SafeText value={text} />;
  };
}

/** Compares a level with what another person has made of it since it was opened. A level that is gone is added anew. */
export function LevelConflict({ base: { policy, at }, values, act, onChoose }: LevelConflictProps) {
  const words = useTranslations('capture');
  const show = useShown(policy.orgId);
  const before = valuesOf(policy.levels[at]);
  const storedAt = (stored: ApprovalPolicy) => placeIn(stored, policy, at);
  return (
    <VersionConflict
      about={before.name || words('levelsTitle')}
      audited="pam.approval_policy.update"
      error={act.error}
      read={() => readApprovalPolicy(policy.orgId)}
      membersOf={(stored) => {
        const level = stored.levels[storedAt(stored)];
        return { ...(level ? valuesOf(level) : before) };
      }}
      base={{ ...before }}
      own={{ ...values }}
      nameOf={(member) => words(hasOther(member) ? NAMES[member] : (member as 'flowTypes'))}
      show={show}
      onChoose={(choice, stored, merged) =>
        onChoose(choice, { policy: stored, at: storedAt(stored) }, { ...values, ...(merged as Partial<LevelValues>) })
      }
      onClose={act.reset}
    />
  );
}
