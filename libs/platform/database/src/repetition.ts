import { ProblemError } from '@gatehouse/contracts-core';
import type { Reader } from './tx.ts';

/**
 * How a request that is repeated under its Idempotency-Key is answered, when the first answer may not be given again:
 * one that grants something is made from the present state, and one with a secret is not made at all.
 * @example once(caller, caller.idempotency, work, { keep: ({ id }) => id, answer: (tx, id) => this.view(tx, id) })
 */
export interface Repetition<T, K> {
  /** What is stored of the first result: ids, and nothing that the state could contradict later. */
  readonly keep: (result: T) => K;
  /** The answer to the repetition. It may refuse, and changes nothing. */
  readonly answer: (reader: Reader, kept: K) => Promise<T>;
}

/** @param stored what `remember` was given: the result itself, or what the repetition keeps of it */
export function repeated<T, K>(reader: Reader, stored: unknown, repetition?: Repetition<T, K>): Promise<T> {
  return repetition ? repetition.answer(reader, stored as K) : Promise.resolve(stored as T);
}

/**
 * For a result that holds a secret: only the id of what was made is stored, and a repetition is refused with it. A
 * null result, which is a refusal that left a record, is repeated.
 * @param idOf the id of what was made
 */
export const shownOnce = <T extends object | null>(
  idOf: (result: NonNullable<T>) => string,
): Repetition<T, string | null> => ({
  keep: (result) => result && idOf(result),
  answer: (_, id) =>
    id === null
      ? Promise.resolve(null as T)
      : Promise.reject(
          new ProblemError('idempotency_secret_shown', 'This was made already, and its secret was shown then.', { id }),
        ),
});
