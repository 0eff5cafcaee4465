import { type Assignment, LEVELS } from './policies.ts';

/** How many places of each level a policy is assigned to, from the widest level to the narrowest. */
export const assignedTo = (assignments: readonly Pick<Assignment, 'level'>[]) =>
  LEVELS.map((level) => ({ level, count: assignments.filter((one) => one.level === level).length })).filter(
    ({ count }) => count > 0,
  );
