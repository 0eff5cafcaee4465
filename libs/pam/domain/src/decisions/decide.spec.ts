import type { DefaultVerdict, FlowType, HierarchyLevel, PolicyMode } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { AT_HQ, aRule, aRulebook, MONDAY_NOON, seen } from '../builders-spec.ts';
import { auditDetailsOf, decide, type Observation, type Rule, type Rulebook, type SoftwareRule } from '../index.ts';

const cases = parse(readFileSync(new URL('./decisions.yaml', import.meta.url), 'utf8')) as Case[];

describe('decide', () => {
  it.each(cases.map((each) => [each.case, each] as const))('%s', (_, each) => {
    const decision = decide(observationOf(each), rulebookOf(each));
    expect({
      outcome: decision.outcome,
      by: decision.source,
      rule: decision.rule?.name ?? null,
      policy: decision.policy?.name ?? null,
      minutes: decision.approvalMinutes,
      audited: decision.audited.map(({ name }) => name),
      held: decision.held,
    }).toEqual(expectationOf(each));
  });

  it.each(['.*', '%', '_', '\\', '('])('PAM-26 looks for %s in a command line as it stands, in any case', (text) => {
    const rulebook = aRulebook({ rules: [aRule({ verdict: 'auto_deny', matchCommandLine: `Run${text}` })] });
    const outcomes = [`x rUn${text} y`, 'x run y', 'x runx y'].map(
      (commandLine) => decide(seen({ commandLine }), rulebook).outcome,
    );
    expect(outcomes).toEqual(['denied', 'pending', 'pending']);
  });

  it('names no more than twenty policies in audit mode, and counts the others', () => {
    const policies = Array.from({ length: 665 }, (_, n) => ({
      id: `p${n}`,
      name: '\u0001'.repeat(255),
      mode: 'audit' as const,
      target: { level: 'organization' as const, id: AT_HQ.orgId },
      rules: [{ name: 'x', sha256: 'a'.repeat(64) }],
    }));
    const audited = auditDetailsOf(decide(seen({ hash: 'a'.repeat(64) }), aRulebook({ policies })));
    expect(audited).toEqual({
      auditedPolicies: policies.slice(0, 20).map(({ id, name }) => ({ id, name })),
      auditedPoliciesOmitted: 645,
    });
    expect(auditDetailsOf(decide(seen(), aRulebook({ policies })))).toEqual({});
    expect(
      auditDetailsOf(decide(seen({ hash: 'a'.repeat(64) }), aRulebook({ policies: policies.slice(0, 1) }))),
    ).toEqual({ auditedPolicies: [{ id: 'p0', name: policies[0]?.name }] });
  });

  it('has a case for each outcome', () => {
    expect(new Set(cases.map((each) => each.expect))).toEqual(
      new Set(['pending', 'auto_approved', 'denied', 'ignored']),
    );
  });
});

interface Case {
  readonly case: string;
  readonly default?: DefaultVerdict;
  readonly rules?: (Partial<Rule> & { name: string; site?: string; signerGroup?: string[] })[];
  readonly policies?: { name: string; mode: PolicyMode; level: HierarchyLevel; rules: SoftwareRule[] }[];
  readonly seen: Partial<Observation>;
  readonly flow?: FlowType;
  readonly at?: string;
  readonly time?: string;
  readonly broken?: boolean;
  readonly expect: string;
  readonly by?: string;
  readonly rule?: string;
  readonly policy?: string;
  readonly minutes?: number;
  readonly audited?: string[];
  readonly held?: string;
}

const TARGETS: Record<HierarchyLevel, string> = {
  device: AT_HQ.deviceId,
  group: 'laptops',
  site: AT_HQ.siteId,
  organization: AT_HQ.orgId,
  partner: AT_HQ.partnerId,
};

function rulebookOf({
  default: defaultVerdict = 'require_approval',
  rules = [],
  policies = [],
  broken,
}: Case): Rulebook {
  const rulebook = aRulebook({
    defaultVerdict,
    signerGroups: new Map(
      rules.flatMap(({ name, signerGroup }) => (signerGroup ? [[name, signerGroup] as const] : [])),
    ),
    rules: rules.map(({ site, signerGroup, ...rule }) =>
      aRule({ ...rule, siteId: site ?? null, matchSignerGroupId: signerGroup ? rule.name : null }),
    ),
    policies: policies.map(({ name, mode, level, rules: lines }) => ({
      id: name,
      name,
      mode,
      target: { level, id: TARGETS[level] },
      rules: lines,
    })),
  });
  return broken
    ? {
        ...rulebook,
        get rules(): never {
          throw new Error('broken on purpose');
        },
      }
    : rulebook;
}

const observationOf = ({ seen: values, flow = 'uac_intercept', at = AT_HQ.siteId, time }: Case): Observation =>
  seen({ ...values, flowType: flow, at: time ? new Date(time) : MONDAY_NOON, place: { ...AT_HQ, siteId: at } });

const UNSAID = { by: null, rule: null, policy: null, minutes: null, audited: [], held: null };
const expectationOf = ({ expect: outcome, by, rule, policy, minutes, audited, held }: Case): object => {
  const said = Object.entries({ by, rule, policy, minutes, audited, held }).filter(([, value]) => value !== undefined);
  return { outcome, ...UNSAID, ...Object.fromEntries(said) };
};
