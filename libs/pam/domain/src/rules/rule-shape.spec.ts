import { describe, expect, it } from '@jest/globals';
import { checkRuleShape, normaliseCriteria, type DraftCriteria } from './rule-shape.ts';
import { parseToolCatalog } from '../tools/tool-catalog.ts';

const GROUP = '01900000-0000-7000-8000-000000000001';

describe('the shape of a rule', () => {
  it.each<[string, DraftCriteria]>([
    ['signer', { matchSigner: 'Contoso' }],
    ['signer group', { matchSignerGroupId: GROUP }],
    ['hash', { matchHash: 'a'.repeat(64) }],
    ['path', { matchPathGlob: '**/setup.exe' }],
    ['parent', { matchParentImage: 'explorer.exe' }],
    ['command line', { matchCommandLine: '/quiet' }],
    ['user', { matchUser: 'ann' }],
    ['group', { matchAdGroup: 'Admins' }],
    ['tool', { matchToolName: 'files' }],
    ['tier', { matchRiskTier: 0 }],
  ])('is sound with %s as its only criterion', (_, criteria) => {
    expect(check(criteria)).toBeNull();
  });

  it.each<[string, DraftCriteria]>([
    ['nothing', {}],
    ['nulls', { matchSigner: null, matchRiskTier: null }],
    ['only a time window', { timeWindow: { start: '09:00', end: '17:00' } }],
    ['only negations', { matchNegate: ['signer'] }],
    ['an executable and a tool criterion', { matchHash: 'a'.repeat(64), matchToolName: 'files' }],
    ['a path and a risk tier', { matchPathGlob: '*', matchRiskTier: 2 }],
    ['a signer and a signer group', { matchSigner: 'Contoso', matchSignerGroupId: GROUP }],
  ])('is refused with %s', (_, criteria) => {
    expect(check(criteria)).toMatchObject({ code: 'pam_rule_invalid' });
  });

  it('is refused with an unknown zone, which is named', () => {
    const timeWindow = { start: '09:00', end: '17:00', timezone: 'Mars/X' };
    const message = 'Mars/X is not a known time zone';
    expect(check({ matchUser: 'ann', timeWindow })).toEqual({
      code: 'validation_failed',
      path: 'timeWindow.timezone',
      message,
    });
  });

  it.each<DraftCriteria>([{ matchToolName: 'files' }, { matchRiskTier: 2 }])(
    'does not let a tool-action rule ignore',
    (criteria) => {
      expect(check(criteria, 'ignore')).toMatchObject({ code: 'pam_rule_invalid' });
    },
  );

  it('lets an executable rule ignore', () => {
    expect(check({ matchSigner: 'Contoso' }, 'ignore')).toBeNull();
  });

  it('names the tiers that the tool can have when the rule asks for another', () => {
    expect(check({ matchToolName: 'files', matchRiskTier: 3 })).toMatchObject({
      code: 'pam_rule_risk_tier_unreachable',
      validTiers: [0, 2],
    });
  });

  it('accepts a rule that names an unrecognised tool', () => {
    expect(check({ matchToolName: 'not_heard_of', matchRiskTier: 1 })).toBeNull();
  });
});

describe('normaliseCriteria', () => {
  it('takes blank texts for no criteria', () => {
    expect(normaliseCriteria({ matchSigner: ' ', matchCommandLine: '', matchUser: '\t' })).toEqual({
      matchSigner: null,
      matchCommandLine: null,
      matchUser: null,
    });
  });

  it('keeps hashes in lower case, trims names, and leaves a command line as it is', () => {
    const hash = 'AB'.repeat(32);
    expect(normaliseCriteria({ matchHash: hash, matchUser: ' ann ', matchCommandLine: ' -enc ' })).toEqual({
      matchHash: hash.toLowerCase(),
      matchUser: 'ann',
      matchCommandLine: ' -enc ',
    });
  });

  it('keeps each negation once', () => {
    expect(normaliseCriteria<DraftCriteria>({ matchNegate: ['hash', 'hash'] }).matchNegate).toEqual(['hash']);
  });
});

const catalog = parseToolCatalog('{"files":{"tier":2,"actions":{"read":0}}}');
const check = (criteria: DraftCriteria, verdict: 'auto_approve' | 'ignore' = 'auto_approve') =>
  checkRuleShape({ ...criteria, verdict }, catalog);
