import type { Verdict } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import { AT_HQ, MONDAY_NOON, seen } from '../builders-spec.ts';
import type { Observation } from '../matching/observation.ts';
import { parseToolCatalog } from '../tools/tool-catalog.ts';
import { proposalsOf } from './proposals.ts';

describe('PAM-249 proposals', () => {
  it('are made of the signer, the hash and the places of a signed prompt', () => {
    const verdict = 'auto_approve';
    expect(shortly({ ...PROMPT, signer: 'Acme' })).toEqual([
      { verdict, matchHash: HASH, matchPathGlob: PROMPT.path, matchParentImage: 'explorer.exe' },
      { verdict, matchSigner: 'Acme', matchPathGlob: '**/Setup.exe', matchParentImage: 'explorer.exe' },
      { verdict: 'require_approval', matchSigner: 'Acme' },
    ]);
    expect(shortly({ ...PROMPT, signer: 'Acme' }, 'auto_deny')[2]).toEqual({
      verdict: 'auto_deny',
      matchSigner: 'Acme',
    });
    expect(shortly({ ...PROMPT, signer: 'Acme', path: 'C:\\a*.exe' })[1]).toMatchObject({
      verdict: 'require_approval',
    });
  });

  it('are made of the hash of an unsigned prompt', () => {
    const verdict = 'auto_approve';
    expect(shortly(PROMPT)).toEqual([
      { verdict, matchHash: HASH, matchPathGlob: PROMPT.path, matchUser: 'ann' },
      { verdict, matchHash: HASH },
      null,
    ]);
    expect(propose({ path: PROMPT.path })).toMatchObject([
      { level: 'strict', rule: null, why: null, whyNot: 'The request has no usable hash.' },
      { level: 'balanced', rule: null },
      { level: 'broad', rule: null },
    ]);
  });

  it('are made of tool, tier and user of a tool action, and pass the shape of rules', () => {
    const action = { flowType: 'ai_tool_action', toolName: 'files', riskTier: 2, username: 'ann' } as const;
    const verdict = 'auto_approve';
    expect(shortly(action)).toEqual([
      { verdict, matchToolName: 'files', matchRiskTier: 2, matchUser: 'ann' },
      { verdict, matchToolName: 'files', matchRiskTier: 2 },
      { verdict, matchToolName: 'files' },
    ]);
    expect(shortly(action, 'ignore')).toEqual([null, null, null]);
    expect(shortly({ ...action, riskTier: 3 })).toEqual([null, null, { verdict, matchToolName: 'files' }]);
  });

  it('are made of user and site of a technician', () => {
    const verdict = 'auto_approve';
    expect(shortly({ flowType: 'tech_jit_admin', username: 'ann' })).toEqual([
      { verdict, matchUser: 'ann', siteId: AT_HQ.siteId },
      { verdict, matchUser: 'ann' },
      null,
    ]);
  });

  it('end after 180 days when they approve', () => {
    const [approving] = propose(PROMPT);
    expect(approving?.rule?.expiresAt).toEqual(new Date(MONDAY_NOON.getTime() + 180 * 86_400_000));
    expect(propose(PROMPT, 'auto_deny')[0]?.rule?.expiresAt).toBeNull();
  });

  it.each<[string, Partial<Observation>]>([
    ['path', { path: 'C:\\Windows\\..\\Temp\\Setup.exe' }],
    ['user', { username: 'an\u200bn' }],
  ])('only deny what is suspicious by its %s', (_, odd) => {
    expect(shortly({ ...PROMPT, ...odd })).toEqual([null, null, null]);
    expect(shortly({ ...PROMPT, ...odd }, 'require_approval')).toEqual([null, null, null]);
    expect(shortly({ ...PROMPT, ...odd }, 'auto_deny')[1]).toEqual({ verdict: 'auto_deny', matchHash: HASH });
  });

  it('pass over facts that a criterion cannot hold', () => {
    expect(shortly({ ...PROMPT, parentImage: 'x'.repeat(1025), signer: ' Acme' })).toEqual([
      { verdict: 'auto_approve', matchHash: HASH, matchPathGlob: PROMPT.path },
      null,
      null,
    ]);
  });
});

const HASH = 'ab'.repeat(32);
const catalog = parseToolCatalog('{"files":{"tier":2,"actions":{"read":0}}}');
const propose = (observation: Partial<Observation>, verdict: Verdict = 'auto_approve') =>
  proposalsOf(seen(observation), { verdict, catalog, at: MONDAY_NOON });

/** The criteria that are set, with the verdict. */
const shortly = (observation: Partial<Observation>, verdict?: Verdict) =>
  propose(observation, verdict).map(({ rule }) => {
    if (!rule) return null;
    const { name: _, expiresAt: __, ...rest } = rule;
    return Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  });

const PROMPT = { path: 'C:\\Temp\\Setup.exe', hash: HASH.toUpperCase(), parentImage: 'explorer.exe', username: 'ann' };
