import { GatehouseError } from '@gatehouse/client';
import problemWords from '../words/en/problems.json' with { type: 'json' };
import { PROBLEMS } from './generated/problems.ts';
import { wordsFor } from './problem.ts';

it('our own words name the members of a problem', () => {
  const words = wordsFor(refusal({ code: 'approvers_insufficient', level: 'Night', eligible: 2 }));
  expect(words).toContain('at the level “Night”: it has 2');
});

it('no words of a problem have plurals or choices, which are not worked out there', () => {
  expect(Object.values(problemWords).filter((words) => /\{\w+,/.test(words))).toEqual([]);
});

it('what the server says in a sentence for people is told where the code alone says too little', () => {
  const detail = 'Devices are still at this site; move or decommission them first.';
  expect(wordsFor(refusal({ code: 'conflict', detail }))).toBe(detail);
  expect(wordsFor(refusal({ code: 'name_taken', detail: 'unique_violation' }))).toBe('The name is in use.');
});

it('no words are meant for programs: they name no member, header or route', () => {
  const forPrograms = Object.keys(PROBLEMS).filter((code) => /`|\/auth\/|\bbody\b/.test(wordsFor(refusal({ code }))));
  expect(forPrograms).toEqual([]);
});

const refusal = (problem: object): GatehouseError => new GatehouseError(409, problem as GatehouseError['problem']);
