import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/shell.tsx';
import { CONTEXT, id, oneOf, pageNumber, searchOf, several, text } from '../../shell/search.ts';
import { EXPIRIES, SORTS, STATUSES } from './queries.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people',
  validateSearch: searchOf({
    ...CONTEXT,
    status: oneOf(STATUSES),
    role: id,
    q: text,
    sort: oneOf(SORTS),
    page: pageNumber,
  }),
  component: lazyRouteComponent(() => import('./screens/people-list.tsx'), 'PeopleList'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/$userId',
  component: lazyRouteComponent(() => import('./screens/person-page.tsx'), 'PersonPage'),
});

const invitations = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/invitations',
  validateSearch: searchOf({ ...CONTEXT, q: text, expires: oneOf(EXPIRIES), page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/invitation-list.tsx'), 'InvitationList'),
});

const roles = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/roles',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/role-list.tsx'), 'RoleList'),
});

const newRole = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/roles/new',
  validateSearch: searchOf({ ...CONTEXT, from: id }),
  beforeLoad: demand('POST /roles'),
  component: lazyRouteComponent(() => import('./screens/new-role.tsx'), 'NewRole'),
});

const compare = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/roles/compare',
  validateSearch: searchOf({ role: several(id) }),
  component: lazyRouteComponent(() => import('./screens/compare-roles.tsx'), 'CompareRoles'),
});

const role = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/roles/$roleId',
  component: lazyRouteComponent(() => import('./screens/role-page.tsx'), 'RolePage'),
});

const apiKeys = createRoute({
  getParentRoute: () => rootRoute,
  path: '/people/api-keys',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/api-key-list.tsx'), 'ApiKeyList'),
});

export const peopleRoutes = [list, invitations, roles, newRole, compare, role, apiKeys, one] as const;
