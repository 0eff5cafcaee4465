import {
  compileRulebook,
  type Observation,
  NO_CRITERIA,
  NO_PRECAUTIONS,
  nothingSeen,
  type Place,
  type Rule,
  type Rulebook,
  type RulebookSource,
} from './index.ts';

export const AT_HQ: Place = {
  partnerId: 'partner',
  orgId: 'org',
  siteId: 'HQ',
  groupIds: ['laptops'],
  deviceId: 'device',
};
export const MONDAY_NOON = new Date('2026-03-02T12:00:00Z');

export const seen = (overrides: Partial<Observation> = {}): Observation => ({
  ...nothingSeen('uac_intercept', AT_HQ, MONDAY_NOON),
  ...overrides,
});

export const aRule = (overrides: Partial<Rule> = {}): Rule => ({
  ...NO_CRITERIA,
  id: overrides.name ?? 'rule',
  name: 'rule',
  verdict: 'auto_approve',
  approvalDurationMinutes: null,
  mode: 'live',
  expiresAt: null,
  ...overrides,
});

export const aSource = (overrides: Partial<RulebookSource> = {}): RulebookSource => ({
  orgId: 'org',
  version: 1,
  defaultVerdict: 'require_approval',
  defaultApprovalMinutes: 15,
  rules: [],
  signerGroups: new Map(),
  policies: [],
  floor: [],
  partnerRules: [],
  optedOut: [],
  ...NO_PRECAUTIONS,
  ...overrides,
});

export const aRulebook = (overrides: Partial<RulebookSource> = {}): Rulebook => compileRulebook(aSource(overrides));
