import type { ApprovalPolicy, Level } from './queries.ts';

/** A level as a form holds it. */
export interface LevelValues {
  readonly name: string;
  readonly flowTypes: NonNullable<Level['flowTypes']>;
  readonly riskTierMin: string | null;
  readonly unsigned: boolean;
  readonly siteIds: string[];
  readonly deviceGroupIds: string[];
  readonly approvals: number | '';
  readonly pendingMinutes: number | '';
  readonly automaticGrants: boolean;
}

const NEW: Level = { name: '', approvals: 2, pendingMinutes: 15 };

/** @param level undefined for a new one */
export const valuesOf = (level: Level = NEW): LevelValues => ({
  name: level.name,
  flowTypes: level.flowTypes ?? [],
  riskTierMin: level.riskTierMin === undefined ? null : String(level.riskTierMin),
  unsigned: level.unsigned ?? false,
  siteIds: level.siteIds ?? [],
  deviceGroupIds: level.deviceGroupIds ?? [],
  approvals: level.approvals,
  pendingMinutes: level.pendingMinutes,
  automaticGrants: level.automaticGrants ?? false,
});

/** What was left empty applies to every request, and is not sent. */
export const levelOf = (values: LevelValues): Level => ({
  name: values.name.trim(),
  approvals: Number(values.approvals),
  pendingMinutes: Number(values.pendingMinutes),
  ...(values.flowTypes.length > 0 && { flowTypes: values.flowTypes }),
  ...(values.riskTierMin !== null && { riskTierMin: Number(values.riskTierMin) }),
  ...(values.unsigned && { unsigned: true }),
  ...(values.automaticGrants && { automaticGrants: true }),
  ...(values.siteIds.length > 0 && { siteIds: values.siteIds }),
  ...(values.deviceGroupIds.length > 0 && { deviceGroupIds: values.deviceGroupIds }),
});

/** The place of a level in the policy as another person has stored it since; one behind the last when it is gone. */
export function placeIn({ levels }: ApprovalPolicy, base: ApprovalPolicy, at: number): number {
  const level = base.levels[at];
  if (!level) return levels.length;
  const named = levels.findIndex(({ name }) => name === level.name);
  if (named !== -1) return named;
  const isRenamed = levels.length === base.levels.length;
  return isRenamed ? at : levels.length;
}

/** The whole policy, with one level changed, added behind the last, or removed. The server replaces the policy. */
export function policyWith({ levels, default: demand, separation }: ApprovalPolicy, at: number, level: Level | null) {
  return { levels: levels.toSpliced(at, 1, ...(level ? [level] : [])), default: demand, separation };
}
