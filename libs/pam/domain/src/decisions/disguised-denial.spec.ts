import type { PolicyMode } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { AT_HQ, aRule, aRulebook, seen } from '../builders-spec.ts';
import { decide, type Observation, type Rule, type SoftwareRule } from '../index.ts';

/** Each names a file below `C:\Users\bob\Downloads` in another way than by its plain path. */
const DISGUISES = [
  'C:\\Users\\bob\\DOWNLO~1\\s.exe',
  'C:\\Users\\bob\\Downloads\\s.exe.',
  'C:\\Users\\bob\\Downloads\\\\s.exe',
  'C:/Users/bob\\Downloads/s.exe',
  'C:\\Users\\bob\\Downloads\\s.exe::$DATA',
  '\\\\?\\C:\\Users\\bob\\Downloads\\s.exe',
  '\\\\.\\C:\\Users\\bob\\Downloads\\s.exe',
  '\\??\\C:\\Users\\bob\\Downloads\\s.exe',
  '\\Device\\HarddiskVolume3\\Users\\bob\\Downloads\\s.exe',
  '\\\\?\\GLOBALROOT\\Device\\HarddiskVolume3\\Users\\bob\\Downloads\\s.exe',
  '\\\\localhost\\C$\\Users\\bob\\Downloads\\s.exe',
  '\\\\PC-7\\c$\\Users\\bob\\Downloads\\s.exe',
  '\\\\127.0.0.1\\C$\\Users\\bob\\Downloads\\s.exe',
  '\\\\server\\C$\\Users\\bob\\Downloads\\s.exe',
  '%USERPROFILE%\\Downloads\\s.exe',
  'C:Users\\bob\\Downloads\\s.exe',
  '\\Users\\bob\\Downloads\\s.exe',
];

describe('ATK-160 a path that is not in its plain form', () => {
  it.each(DISGUISES)('is denied by a rule, a floor and a blocklist, and never granted or ignored: %s', (path) => {
    const denial = aRule({ id: 'd', verdict: 'auto_deny', matchPathGlob: 'C:\\Users\\*\\Downloads\\**' });
    expect(outcome({ path }, [denial, GRANT_ALL])).toBe('denied');
    expect(outcome({ path }, [GRANT_ALL], { floor: [denial] })).toBe('denied');
    const blocklist = policy('blocklist', { pathGlob: 'C:\\Users\\*\\Downloads\\*.exe' });
    expect(outcome({ path }, [GRANT_ALL], { policies: [blocklist] })).toBe('denied');
    expect(outcome({ path }, [GRANT_ALL])).toBe('pending');
    expect(outcome({ path }, [aRule({ ...GRANT_ALL, verdict: 'ignore' })])).toBe('pending');
    expect(outcome({ path }, [], { policies: [policy('allowlist', { signer: 'Acme' })] })).toBe('pending');
  });

  it.each(DISGUISES)('is as suspicious when it names the parent: %s', (parentImage) => {
    const parent = 'C:\\Users\\bob\\Downloads\\s.exe';
    const path = 'C:\\Program Files\\Acme\\a.exe';
    expect(outcome({ path, parentImage }, [GRANT_ALL])).toBe('pending');
    const denial = aRule({ id: 'd', verdict: 'auto_deny', matchParentImage: parent });
    if (!parentImage.startsWith('%')) expect(outcome({ path, parentImage }, [denial, GRANT_ALL])).toBe('denied');
  });

  it('is granted in its plain form, also on a share of another machine', () => {
    for (const path of ['C:\\Program Files\\Acme\\a.exe', '\\\\PC-8\\tools\\a.exe'])
      expect(outcome({ path, parentImage: 'explorer.exe' }, [GRANT_ALL])).toBe('auto_approved');
    expect(outcome({ path: '\\\\PC-7\\tools\\a.exe' }, [GRANT_ALL])).toBe('pending');
  });
});

const SPELLINGS = [
  'Bad Actor, Inc. ',
  ' Bad  Actor, Inc.',
  'Bad\tActor,\u00a0Inc.',
  '"Bad Actor, Inc."',
  "'BAD ACTOR, INC.'",
  '\u201cBad Actor, Inc.\u201d',
  'Bad\u3000Actor, Inc.',
  'Ｂad Actor, Inc.',
];

describe('ATK-161 a denied text that is spelt otherwise', () => {
  it.each(SPELLINGS)('is denied wherever a rule may name it: %j', (spelling) => {
    for (const [asks, reported] of FACTS) {
      const denial = aRule({ id: 'd', verdict: 'auto_deny', ...asks });
      const observation = { ...allowed, ...reported(spelling) };
      expect([asks, outcome(observation, [denial, grant], { signerGroups })]).toEqual([asks, 'denied']);
      expect(outcome(observation, [grant], { floor: [denial], signerGroups })).toBe('denied');
    }
    for (const line of [{ signer: NAME }, { publisher: NAME }]) {
      const reported = 'signer' in line ? { signer: spelling } : { publisher: spelling };
      expect(outcome({ ...allowed, ...reported }, [grant], { policies: [policy('blocklist', line)] })).toBe('denied');
    }
  });

  it('is denied when the rule itself has such a spelling', () => {
    for (const matchSigner of SPELLINGS) {
      const denial = aRule({ id: 'd', verdict: 'auto_deny', matchSigner });
      expect(outcome({ ...allowed, signer: NAME }, [denial, grant])).toBe('denied');
    }
  });

  it('grants nothing: a grant compares exactly', () => {
    const exact = aRule({ matchSigner: NAME });
    expect(outcome({ ...allowed, signer: NAME }, [exact])).toBe('auto_approved');
    for (const signer of SPELLINGS) expect(outcome({ ...allowed, signer }, [exact])).toBe('pending');
  });

  it('of quotes alone denies nothing else', () => {
    const denial = aRule({ id: 'd', verdict: 'auto_deny', matchCommandLine: ' "" ' });
    expect(outcome({ ...allowed, commandLine: 'setup.exe /S' }, [denial, grant])).toBe('auto_approved');
  });

  const NAME = 'Bad Actor, Inc.';
  const FACTS: readonly (readonly [Partial<Rule>, (text: string) => Partial<Observation>])[] = [
    [{ matchSigner: NAME }, (signer) => ({ signer })],
    [{ matchSignerGroupId: 'g' }, (signer) => ({ signer })],
    [{ matchUser: NAME }, (username) => ({ username })],
    [{ matchAdGroup: NAME }, (group) => ({ adGroups: [group] })],
    [{ matchCommandLine: NAME }, (commandLine) => ({ commandLine: `run ${commandLine} now` })],
    [{ matchParentImage: NAME }, (parentImage) => ({ parentImage })],
  ];
  const signerGroups = new Map([['g', [NAME]]]);
  const grant = aRule({ id: 'grant', name: 'grant', matchPathGlob: 'C:\\Tools\\*' });
  const allowed = { path: 'C:\\Tools\\a.exe', signer: 'Other' };
});

const ON_PC = { place: { ...AT_HQ, hostname: 'PC-7' } };
const GRANT_ALL = aRule({ id: 'grant', name: 'grant', matchSigner: 'Acme' });
const policy = (mode: PolicyMode, line: Partial<SoftwareRule>) => ({
  id: 'p',
  name: 'p',
  mode,
  target: { level: 'organization' as const, id: 'org' },
  rules: [{ name: 'x', ...line }],
});
const outcome = (observation: Partial<Observation>, rules: readonly Rule[], more: object = {}): string =>
  decide(seen({ ...ON_PC, signer: 'Acme', ...observation }), aRulebook({ rules, ...more })).outcome;
