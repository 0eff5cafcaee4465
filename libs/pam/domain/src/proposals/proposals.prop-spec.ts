import { VERDICTS } from '@gatehouse/contracts-pam';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AT_HQ, MONDAY_NOON, seen } from '../builders-spec.ts';
import { subjectOf } from '../matching/subject.ts';
import type { Observation } from '../matching/observation.ts';
import { matches } from '../rules/rule-match.ts';
import { SHIPPED_TOOL_CATALOG } from '../tools/tool-catalog.ts';
import { type ProposedRule, proposalsOf } from './proposals.ts';

const word = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcXYZ019 -_[](){}+^$|äß漢') });
const text = word.map((inner) => `n${inner.trim()}`);
const path = fc.tuple(text, text).map(([folder, name]) => `C:\\${folder}x\\${name}.exe`);

const KINDS: Readonly<Record<string, { of: (given: Facts) => Observation; asked: readonly (keyof Facts)[] }>> = {
  'a signed prompt': {
    of: ({ hash, path: at, parentImage, username }) => seen({ hash, path: at, parentImage, username, signer: 'Acme' }),
    asked: ['hash', 'path', 'parentImage'],
  },
  'an unsigned prompt': {
    of: ({ hash, path: at, parentImage, username }) => seen({ hash, path: at, parentImage, username }),
    asked: ['hash', 'path', 'username'],
  },
  'a tool action': {
    of: ({ toolName, riskTier, username }) => seen({ flowType: 'ai_tool_action', toolName, riskTier, username }),
    asked: ['toolName', 'riskTier', 'username'],
  },
  'the request of a technician': {
    of: ({ username, siteId }) => seen({ flowType: 'tech_jit_admin', username, place: { ...AT_HQ, siteId } }),
    asked: ['username', 'siteId'],
  },
};

describe('PAM-249 a strict proposal', () => {
  it.each(Object.entries(KINDS))('matches %s and nothing else in 10 000 others', (_, { of, asked }) => {
    const wish = { verdict: 'auto_approve', catalog: SHIPPED_TOOL_CATALOG, at: MONDAY_NOON } as const;
    const other = fc.tuple(facts, facts, fc.subarray([...asked], { minLength: 1 }));
    const made = other.map(([one, source, changed]) => {
      const kept = Object.fromEntries(changed.map((fact) => [fact, source[fact]]));
      return [one, { ...one, ...kept }] as const;
    });
    fc.assert(
      fc.property(made, ([one, changed]) => {
        fc.pre(!isSame(one, changed, asked));
        const { rule } = proposalsOf(of(one), wish)[0]!;
        return isMatched(rule!, of(one)) && !isMatched(rule!, of(changed));
      }),
      { numRuns: OTHERS },
    );
  });

  it('DRAFT-02 never takes the signs of a glob from a path', () => {
    const wild = fc.tuple(text, fc.constantFrom('*', '?', '**'), text, fc.boolean());
    fc.assert(
      fc.property(wild, fc.constantFrom(...VERDICTS), ([before, sign, after, inFolder], verdict) => {
        const odd = `${before}${sign}${after}`;
        const at = inFolder ? `C:\\${odd}\\setup.exe` : `C:\\tools\\${odd}.exe`;
        const observation = seen({ hash: 'a'.repeat(64), path: at, signer: 'Acme', parentImage: 'explorer.exe' });
        const made = proposalsOf(observation, { verdict, catalog: SHIPPED_TOOL_CATALOG, at: MONDAY_NOON });
        const globs = made.map(({ rule }) => rule?.matchPathGlob ?? null);
        expect(globs).toEqual([null, inFolder ? '**/setup.exe' : null, null]);
        expect(made.every(({ rule }) => rule && matches(rule, subjectOf(observation), new Map()))).toBe(true);
      }),
    );
  });
});

const OTHERS = 10_000;
const hex = fc.constantFrom('a', 'b', 'c', 'd').map((digit) => digit.repeat(64));
const facts = fc.record({
  hash: hex,
  path,
  parentImage: path,
  username: text,
  toolName: text,
  riskTier: fc.integer({ min: 0, max: 4 }),
  siteId: fc.constantFrom('HQ', 'Branch', 'Depot'),
});
type Facts = typeof facts extends fc.Arbitrary<infer T> ? T : never;
const isSame = (one: Facts, other: Facts, asked: readonly (keyof Facts)[]): boolean =>
  asked.every((fact) => `${one[fact]}`.toLowerCase() === `${other[fact]}`.toLowerCase());

const isMatched = (rule: ProposedRule, observation: Observation): boolean =>
  matches(rule, subjectOf(observation), new Map());
