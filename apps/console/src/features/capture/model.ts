import { fieldErrors } from '../../api/problem.ts';
import type { Values } from '../../ui/forms/fields.ts';
import { type ApprovalPolicy, type EscalationPolicy, FLOW_TYPES, type Level } from './queries.ts';

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

type Step = EscalationPolicy['steps'][number];

export const STEPS = [1, 2, 3, 4, 5] as const;
export const minutesOf = (step: number): string => `steps.${step}.afterMinutes`;
export const asksOf = (step: number): string => `steps.${step}.askAllApprovers`;
export const flowOf = (flow: (typeof FLOW_TYPES)[number]): string => `flowTypes.${flow}`;

/** A policy as a form holds it: each step under its number, which others refer to, and each kind of request. */
export function escalationValues({ steps, flowTypes, tellDevice, tellRequester }: EscalationPolicy): Values {
  const values: Values = { tellDevice, tellRequester };
  for (const number of STEPS) {
    const known = steps.find(({ step }) => step === number);
    values[minutesOf(number)] = known?.afterMinutes ?? '';
    values[asksOf(number)] = known?.askAllApprovers ?? false;
  }
  for (const flow of FLOW_TYPES) values[flowOf(flow)] = flowTypes?.includes(flow) ?? true;
  return values;
}

/** Whether the step has a time. */
export function isSet(values: Values, step: number): boolean {
  const minutes = values[minutesOf(step)];
  return typeof minutes === 'number';
}

const stepsOf = (values: Values): Step[] =>
  STEPS.filter((step) => isSet(values, step)).map((step) => ({
    step,
    afterMinutes: Number(values[minutesOf(step)]),
    askAllApprovers: values[asksOf(step)] === true,
  }));

/** The whole policy, which the server replaces. */
export function escalationBody(values: Values) {
  const flowTypes = FLOW_TYPES.filter((flow) => values[flowOf(flow)] === true);
  const isAny = flowTypes.length === 0 || flowTypes.length === FLOW_TYPES.length;
  return {
    steps: stepsOf(values),
    flowTypes: isAny ? null : flowTypes,
    tellDevice: values['tellDevice'] === true,
    tellRequester: values['tellRequester'] === true,
  };
}

/** The server names steps by their place among those that were sent: `steps.1`, `steps.1.afterMinutes`. */
const PLACE = /^steps[.[](\d+)\]?(\..+)?$/;

/** What is wrong with a step, at the field of its minutes. @param ascending what is said of a step as a whole */
export function stepFaults(error: unknown, values: Values, ascending: string): Readonly<Record<string, string>> {
  const sent = stepsOf(values);
  const faults = Object.entries(fieldErrors(error)).flatMap(([path, message]) => {
    const [, place, member] = PLACE.exec(path) ?? [];
    const step = place === undefined ? undefined : sent[Number(place)]?.step;
    return step === undefined ? [] : [[minutesOf(step), member === undefined ? ascending : message]];
  });
  return Object.fromEntries(faults) as Readonly<Record<string, string>>;
}
