import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/root.tsx';
import { oneOf, pageNumber, searchOf, text } from '../../shell/search.ts';
import { ROLES, SORTS } from './model.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/contacts',
  validateSearch: searchOf({ site: text, role: oneOf(ROLES), sort: oneOf(SORTS), page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/contact-list.tsx'), 'ContactList'),
});

const importing = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/contacts/import',
  beforeLoad: demand('POST /orgs/contacts/import'),
  component: lazyRouteComponent(() => import('./screens/contact-import.tsx'), 'ContactImport'),
});

export const contactsRoutes = [list, importing] as const;
