import { describe, expect, it } from '@jest/globals';
import { MUTATING, ROUTES } from '../audit/contract.ts';
import { ATTEMPTS } from './attempts.ts';
import { BY_ROUND_TRIP, IRRELEVANT } from './irrelevant.ts';

describe('the routes that the generated attackers try', () => {
  it('ATK-35c: are all that change something, but for those with a reason', () => {
    const unlisted = MUTATING.map(({ route }) => route).filter(
      (route) => !attempted.has(route) && !(route in IRRELEVANT),
    );
    expect(unlisted).toEqual([]);
  });

  it('ATK-35d: are each in the contract, and in one list only', () => {
    const known = new Set(ROUTES.map(({ route }) => route));
    const listed = [...attempted, ...Object.keys(IRRELEVANT), ...BY_ROUND_TRIP];
    expect(listed.filter((route) => !known.has(route))).toEqual([]);
    expect([...attempted].filter((route) => route in IRRELEVANT)).toEqual([]);
  });

  it('ATK-35e: name each parameter of their address', () => {
    const names = (route: string): string[] => [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const wrong = ATTEMPTS.filter(
      ({ route, params }) => names(route).sort().join() !== Object.keys(params).sort().join(),
    );
    expect(wrong.map(({ route }) => route)).toEqual([]);
  });
});

const attempted = new Set(ATTEMPTS.map(({ route }) => route));
