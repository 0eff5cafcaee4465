import { type ConsentPrompt, decideOffline, type OfflineClaims } from '@gatehouse/agent';
import { CRITERION_KEYS, POLICY_MODES, VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import {
  compileRulebook,
  decide,
  NO_CRITERIA,
  NO_PRECAUTIONS,
  nothingSeen,
  type Observation,
  offlineRulesOf,
  type Rule,
  type RulebookSource,
  type SoftwarePolicy,
} from '@gatehouse/pam-domain';
import fc from 'fast-check';

describe('PAM-99 what an agent decides while it is offline', () => {
  it('PAM-99 is a denial exactly when the product would deny, and else a question', () => {
    fc.assert(
      fc.property(source, prompt, (rules, seen) => {
        const { outcome } = decide(observed(seen), compileRulebook(rules));
        expect(decideOffline(claimsOf(rules), seen, AT)).toBe(outcome === 'denied' ? 'deny' : 'ask');
      }),
      { numRuns: 1000 },
    );
  });

  it('PAM-99 never denies more when the document was too large for all rules', () => {
    fc.assert(
      fc.property(source, prompt, fc.integer({ min: 1024, max: 2048 }), (rules, seen, size) => {
        const claims = claimsOf(rules, size);
        expect(JSON.stringify([claims.floor, claims.rules]).length).toBeLessThan(size);
        if (decideOffline(claims, seen, AT) === 'deny') expect(decideOffline(claimsOf(rules), seen, AT)).toBe('deny');
      }),
    );
  });
});

const PLACE = { partnerId: 'partner', orgId: 'org', siteId: 'HQ', groupIds: ['laptops'], deviceId: 'device' };
const AT = new Date('2026-03-02T12:00:00Z');

const text = fc.constantFrom(
  'acme',
  'Acme',
  'ÄCME',
  'ａｃｍｅ',
  'ac\u200bme',
  ' acme ',
  'a.exe',
  'C:\\Tools\\a.exe',
  'c:/tools/sub/../a.exe',
  'C:\\Tools\\',
  'c:/tools/a.exe. ',
  'c:/tools/ſub/A.EXE',
  '\\\\?\\C:\\Tools\\a.exe',
  '',
  ' ',
);
const digest = fc.constantFrom('aa', 'AA', 'bb');
const path = fc.oneof(text, fc.stringMatching(/^[abC/\\. *?]{1,10}$/));
const glob = fc.oneof(
  fc.stringMatching(/^(?:[abc/]|\*{1,3}|\?|\*\*\/){1,8}$/),
  fc.constantFrom('**', '**/a.exe', 'C:\\Tools\\**', '**/ſub/*'),
);
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const wanted = text.filter((value) => value.trim() !== '');

const window = fc.constantFrom(
  null,
  null,
  { start: '09:00', end: '17:00', days: [1], timezone: 'Europe/Berlin' },
  { start: '13:00', end: '12:00', days: null, timezone: null },
  { start: '12:01', end: '12:59' },
);
const rule: fc.Arbitrary<Rule> = fc
  .record({
    id: fc.uuid(),
    verdict: fc.constantFrom(...VERDICTS),
    siteId: fc.constantFrom(null, null, 'HQ', 'Branch'),
    matchSigner: maybe(wanted),
    matchSignerGroupId: fc.option(fc.constant('trusted'), { nil: null, freq: 2 }),
    matchHash: fc.option(digest, { nil: null, freq: 2 }),
    matchPathGlob: maybe(glob),
    matchParentImage: fc.option(wanted, { nil: null, freq: 2 }),
    matchCommandLine: fc.option(wanted, { nil: null, freq: 2 }),
    matchUser: fc.option(wanted, { nil: null, freq: 2 }),
    matchAdGroup: fc.option(wanted, { nil: null, freq: 2 }),
    matchToolName: fc.option(wanted, { nil: null, freq: 1 }),
    matchNegate: fc.option(fc.subarray([...CRITERION_KEYS]), { nil: null }),
    timeWindow: window,
    mode: fc.constantFrom('live', 'live', 'shadow'),
    expiresAt: fc.constantFrom(null, null, AT, new Date(AT.getTime() + 1)),
  })
  .map((overrides) => ({ ...NO_CRITERIA, name: 'rule', approvalDurationMinutes: null, ...overrides }));
const targets = [
  { level: 'device', id: 'device' },
  { level: 'group', id: 'laptops' },
  { level: 'site', id: 'Branch' },
  { level: 'organization', id: 'org' },
  { level: 'partner', id: 'partner' },
] as const;
const policy: fc.Arbitrary<SoftwarePolicy> = fc.record({
  id: fc.uuid(),
  name: fc.constant('policy'),
  mode: fc.constantFrom(...POLICY_MODES),
  target: fc.constantFrom(...targets),
  rules: fc.array(
    fc.record({
      name: fc.constant('line'),
      sha256: maybe(digest),
      signer: fc.option(wanted, { nil: null, freq: 1 }),
      publisher: fc.option(wanted, { nil: null, freq: 1 }),
      pathGlob: fc.option(glob, { nil: null, freq: 1 }),
    }),
    { maxLength: 2 },
  ),
});
const tightening: fc.Arbitrary<Rule> = fc
  .tuple(rule, fc.constantFrom('auto_deny' as const, 'require_approval' as const))
  .map(([one, verdict]) => ({ ...one, verdict }));
const source: fc.Arbitrary<RulebookSource> = fc
  .record({
    orgId: fc.constant('org'),
    version: fc.constant(3),
    defaultVerdict: fc.constantFrom('require_approval' as const, 'auto_deny' as const),
    defaultApprovalMinutes: fc.constant(15),
    rules: fc.array(rule, { maxLength: 4 }),
    floor: fc.array(tightening, { maxLength: 2 }),
    partnerRules: fc.array(rule, { maxLength: 2 }),
    optedOut: fc.constant([]),
    signerGroups: fc.constant(new Map([['trusted', ['ACME', 'ÄCME']]])),
    policies: fc.array(policy, { maxLength: 3 }),
  })
  .map((parts) => ({ ...NO_PRECAUTIONS, ...parts }));
const prompt: fc.Arbitrary<ConsentPrompt> = fc.record({
  subject_username: text,
  target_executable_path: path,
  target_executable_hash: maybe(digest),
  target_executable_signer: maybe(text),
  target_executable_publisher: maybe(text),
  parent_image: maybe(path),
  command_line: maybe(text),
  ad_groups: maybe(fc.array(text, { maxLength: 2 })),
  observed_at: fc.constant(AT.toISOString()),
});

const observed = (seen: ConsentPrompt): Observation => ({
  ...nothingSeen('uac_intercept', PLACE, AT),
  username: seen.subject_username,
  path: seen.target_executable_path,
  hash: seen.target_executable_hash ?? null,
  signer: seen.target_executable_signer ?? null,
  publisher: seen.target_executable_publisher ?? null,
  parentImage: seen.parent_image ?? null,
  commandLine: seen.command_line ?? null,
  adGroups: seen.ad_groups ?? [],
});
/** As the agent receives it. */
const claimsOf = (rules: RulebookSource, maxBytes?: number): OfflineClaims =>
  JSON.parse(JSON.stringify({ iss: '', aud: '', iat: 0, exp: 0, ...offlineRulesOf(rules, PLACE, maxBytes) }));
