import { codeOf } from './problem.ts';

/** What became of one of many acts. */
export interface Outcome {
  readonly id: string;
  readonly error?: unknown;
  /** What the server answered. */
  readonly data?: unknown;
}

const IN_FLIGHT = 8;

/**
 * Runs an act for each id, eight at a time. Those in flight share one dialog for the second factor; once it is
 * cancelled, the rest is refused without asking again.
 * @returns an outcome for each, in the order of the ids
 */
export async function inParallel(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<readonly Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const left = ids.values();
  let cancelled: unknown;
  const one = async (id: string): Promise<Outcome> => {
    if (cancelled !== undefined) return { id, error: cancelled };
    try {
      return { id, data: await act(id) };
    } catch (error) {
      if (codeOf(error) === 'mfa_required') cancelled = error;
      return { id, error };
    }
  };
  const work = async () => {
    for (const id of left) outcomes.set(id, await one(id));
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, ids.length) }, work));
  return ids.map((id) => outcomes.get(id) ?? { id });
}
