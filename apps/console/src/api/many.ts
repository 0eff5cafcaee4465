/** What became of one of many acts. */
export interface Outcome {
  readonly id: string;
  readonly error?: unknown;
}

const IN_FLIGHT = 8;

/** Runs an act for each id, eight at a time. @returns an outcome for each, in the order of the ids */
export async function inParallel(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
): Promise<readonly Outcome[]> {
  const outcomes = new Map<string, Outcome>();
  const left = ids.values();
  const work = async () => {
    for (const id of left) {
      const error: unknown = await act(id).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      outcomes.set(id, error === undefined ? { id } : { id, error });
    }
  };
  await Promise.all(Array.from({ length: Math.min(IN_FLIGHT, ids.length) }, work));
  return ids.map((id) => outcomes.get(id) ?? { id });
}
