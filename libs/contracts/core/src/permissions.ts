/** The axis on which a session or a role acts. */
export const ACCESS_LEVELS = ['system', 'partner', 'organization'] as const;
export type AccessLevel = (typeof ACCESS_LEVELS)[number];

export const PERMISSIONS = [
  'organizations:read',
  'organizations:write',
  'sites:read',
  'sites:write',
  'devices:read',
  'devices:write',
  'devices:execute',
  'users:read',
  'users:write',
  'audit:read',
  'audit:export',
  'scripts:read',
  'scripts:write',
  'tools:request',
  '*',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Whether a set of granted permissions covers the one that a route requires; `*` covers all. */
export const covers = (granted: ReadonlySet<Permission>, wanted: Permission): boolean =>
  granted.has('*') || granted.has(wanted);

/** Whether the holder of `granted` may grant `wanted`: callers can grant only what they hold. */
export const mayGrant = (granted: ReadonlySet<Permission>, wanted: readonly Permission[]): boolean =>
  wanted.every((permission) => covers(granted, permission));

export interface SystemRole {
  readonly id: string;
  readonly name: string;
  readonly axis: Exclude<AccessLevel, 'system'>;
  readonly permissions: readonly Permission[];
}

const everythingOfAnOrganization = PERMISSIONS.filter((permission) => permission !== '*');

/** The roles that every deployment has; their ids are fixed so that all services and clients agree on them. */
export const SYSTEM_ROLES: readonly SystemRole[] = [
  { id: '00000000-0000-7000-8000-000000000001', name: 'Partner Admin', axis: 'partner', permissions: ['*'] },
  {
    id: '00000000-0000-7000-8000-000000000002',
    name: 'Partner Technician',
    axis: 'partner',
    permissions: ['devices:read', 'devices:execute', 'organizations:read', 'sites:read'],
  },
  {
    id: '00000000-0000-7000-8000-000000000003',
    name: 'Partner Viewer',
    axis: 'partner',
    permissions: ['devices:read', 'organizations:read', 'sites:read', 'users:read', 'audit:read', 'scripts:read'],
  },
  {
    id: '00000000-0000-7000-8000-000000000004',
    name: 'Organization Admin',
    axis: 'organization',
    permissions: everythingOfAnOrganization,
  },
  {
    id: '00000000-0000-7000-8000-000000000005',
    name: 'Organization Technician',
    axis: 'organization',
    permissions: ['devices:read', 'devices:write', 'devices:execute'],
  },
  {
    id: '00000000-0000-7000-8000-000000000006',
    name: 'Organization Viewer',
    axis: 'organization',
    permissions: ['devices:read', 'organizations:read', 'sites:read'],
  },
];
