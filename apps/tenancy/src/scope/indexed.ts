/** Maps each key to the values that have it, in their original order, for many look-ups. */
export function indexed<T>(
  things: readonly T[],
  keysOf: (thing: T) => readonly string[],
): ReadonlyMap<string, readonly T[]> {
  const index = new Map<string, T[]>();
  for (const thing of things) {
    for (const key of new Set(keysOf(thing))) {
      const sharing = index.get(key);
      if (sharing) sharing.push(thing);
      else index.set(key, [thing]);
    }
  }
  return index;
}
