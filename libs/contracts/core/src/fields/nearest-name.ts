/**
 * A longer name cannot be a misspelling of a known one, and the comparison takes time proportional to the product of
 * both lengths.
 */
const MAX_LENGTH = 64;

/** The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function distance(left: string, right: string): number {
  let [before, last] = [[] as number[], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row++) {
    const next = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const steps = [last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + (isSame ? 0 : 1)];
      next.push(Math.min(...steps, ...(isSwap ? [before[column - 2]! + 1] : [])));
    }
    [before, last] = [last, next];
  }
  return last[right.length]!;
}

function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/**
 * The known name most similar to the given one, regardless of letter case; null when no known name shares half of it.
 */
export function nearestName(given: string, known: Iterable<string>): string | null {
  if (given.length > MAX_LENGTH) return null;
  const name = given.toLowerCase();
  const [nearest] = [...known]
    .map((each) => ({ each, steps: distance(name, each.toLowerCase()), start: commonStart(name, each.toLowerCase()) }))
    .filter(({ each, steps }) => steps <= Math.floor(Math.max(name.length, each.length) / 2))
    .sort((one, other) => one.steps - other.steps || other.start - one.start);
  return nearest?.each ?? null;
}
