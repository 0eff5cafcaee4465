import { expect, it } from '@jest/globals';
import { livePrompt } from './live-prompts.ts';

it('the live demo reports a mix of programs, signed and unsigned, by people of the organisation', () => {
  const prompts = Array.from({ length: 300 }, () => livePrompt('globex'));
  const signers = new Set(prompts.map(({ target_executable_signer: signer }) => signer));
  expect(signers.has('')).toBe(true);
  expect(signers.size).toBeGreaterThan(4);
  const people = new Set(prompts.map(({ subject_username: user }) => user));
  expect([...people].every((user) => user.startsWith('GLOBEX\\'))).toBe(true);
  expect(people.size).toBeGreaterThan(1);
  expect(new Set(prompts.map(({ observed_at: at }) => Number.isNaN(Date.parse(at))))).toEqual(new Set([false]));
});
