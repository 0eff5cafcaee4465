import type { Decision } from './decision.ts';
import { underFloor } from './floor.ts';
import { type Judged, withHold } from './holds.ts';

/** Steps 3a and 4: what floor and holds make of a choice. They tighten it or leave it. @throws EffortExceeded */
export const settled = (choice: Decision, judged: Judged): Decision =>
  withHold(underFloor(choice, judged.rulebook.floor, judged.seen), judged);
