import { GatehouseError } from '@gatehouse/client';
import { wordsFor } from './problem.ts';

it('our own words name the members of a problem', () => {
  const problem: object = { code: 'approvers_insufficient', level: 'Night', eligible: 2 };
  const words = wordsFor(new GatehouseError(409, problem as GatehouseError['problem']));
  expect(words).toContain('at the level “Night”: there are 2');
});
