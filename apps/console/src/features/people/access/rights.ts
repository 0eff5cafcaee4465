import type { Permission } from '../queries.ts';

/** Every permission except `*`, by its subject. A permission that is missing here is an error of types. */
const ACTS = {
  'organizations:read': 'read',
  'organizations:write': 'write',
  'sites:read': 'read',
  'sites:write': 'write',
  'devices:read': 'read',
  'devices:write': 'write',
  'devices:execute': 'further',
  'users:read': 'read',
  'users:write': 'write',
  'audit:read': 'read',
  'audit:export': 'further',
  'scripts:read': 'read',
  'scripts:write': 'write',
  'tools:request': 'further',
} as const satisfies Record<Exclude<Permission, '*'>, string>;

export type Right = keyof typeof ACTS;
export const RIGHTS = Object.keys(ACTS) as readonly Right[];
export const AREAS = ['organizations', 'sites', 'devices', 'users', 'audit', 'scripts', 'tools'] as const;
export type Area = (typeof AREAS)[number];
export const COLUMNS = ['read', 'write', 'further'] as const;

/** The right of an area in a column of the matrix, if there is one. */
export const rightAt = (area: Area, column: (typeof COLUMNS)[number]): Right | undefined =>
  RIGHTS.find((right) => right.startsWith(`${area}:`) && ACTS[right] === column);

/** Whether the right changes nothing. */
export const isReading = (right: Right): boolean => ACTS[right] === 'read';

/** Whether these permissions hold the right; `*` holds all. */
export const holds = (permissions: readonly string[], right: string): boolean =>
  permissions.includes('*') || permissions.includes(right);

/** The rights that are held, by area and in the order of the matrix. */
export function rightsByArea(permissions: readonly string[]): readonly (readonly [Area, readonly Right[]])[] {
  const held = RIGHTS.filter((right) => holds(permissions, right));
  return AREAS.map((area) => [area, held.filter((right) => right.startsWith(`${area}:`))] as const).filter(
    ([, rights]) => rights.length > 0,
  );
}

/** The permissions that are wanted, but not held: what a caller lacks can not be granted by them. */
export const lacking = (held: readonly string[], wanted: readonly Permission[]): readonly Permission[] =>
  wanted.filter((permission) => !holds(held, permission));
