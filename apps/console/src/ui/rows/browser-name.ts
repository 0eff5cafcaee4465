const PROGRAMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

const firstIn = (known: typeof PROGRAMS, userAgent: string) => known.find(([pattern]) => pattern.test(userAgent))?.[1];

/** "Chrome, Windows", by which a person tells their devices apart; null for an unknown program. */
export function browserNameOf(userAgent: string): string | null {
  const names = [firstIn(PROGRAMS, userAgent), firstIn(SYSTEMS, userAgent)].filter(Boolean);
  return names.length > 0 ? names.join(', ') : null;
}
