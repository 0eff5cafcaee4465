import type { Observation } from '../matching/observation.ts';
import { presentOrNull } from '@gatehouse/windows-paths';
import type { ApprovalLevel, ApprovalPolicy } from '../rules/precautions.ts';

/** The approvals that a pending request needs, and for how long it waits. */
export interface Demand {
  readonly approvals: number;
  /** Null for the time that the service sets. */
  readonly pendingMinutes: number | null;
  /** The name of the level; null for the default. */
  readonly level: string | null;
}

/** The level of the place, or one of the former places of the machine that demands more. */
function levelOf(policy: ApprovalPolicy, observation: Observation): ApprovalLevel | undefined {
  const { formerPlaces = [] } = observation.place;
  const own = policy.levels.find((level) => fits(level, observation, []));
  if (formerPlaces?.length === 0) return own;
  const { approvals } = own ?? policy.default;
  const stricter = policy.levels.filter(
    (level) => level.approvals > approvals && fits(level, observation, formerPlaces),
  );
  return stricter.sort((one, other) => other.approvals - one.approvals)[0] ?? own;
}

/** Whether a level keeps rules and policies from granting: it demands several approvals and does not say otherwise. */
export function bindsGrants(policy: ApprovalPolicy, observation: Observation): boolean {
  const level = levelOf(policy, observation);
  return level !== undefined && level.approvals > 1 && level.automaticGrants !== true;
}

const isUnsigned = ({ path, signer }: Observation): boolean => path !== null && presentOrNull(signer) === null;

const isAmong = (wanted: readonly string[] | null | undefined, own: readonly string[]): boolean =>
  !wanted || own.some((id) => wanted.includes(id));

const reaches = (least: number | null | undefined, riskTier: number | null): boolean =>
  typeof least !== 'number' || (riskTier !== null && riskTier >= least);

/** Whether a request meets every condition of a level. @param further places of its device; null for any place */
const fits = (level: ApprovalLevel, observation: Observation, further: readonly string[] | null): boolean =>
  isAmong(level.flowTypes, [observation.flowType]) &&
  reaches(level.riskTierMin, observation.riskTier) &&
  (typeof level.unsigned !== 'boolean' || level.unsigned === isUnsigned(observation)) &&
  (further === null ||
    (isAmong(level.deviceGroupIds, [...observation.place.groupIds, ...further]) &&
      isAmong(level.siteIds, [observation.place.siteId, ...further])));

/** Step 5: the first level that fits, or the default. */
export function demandOf(policy: ApprovalPolicy, observation: Observation): Demand {
  const level = levelOf(policy, observation);
  return level
    ? { approvals: level.approvals, pendingMinutes: level.pendingMinutes, level: level.name }
    : { ...policy.default, level: null };
}
