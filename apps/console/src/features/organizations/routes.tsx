import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/root.tsx';
import { oneOf, pageNumber, searchOf, text } from '../../shell/search.ts';
import { SORTS, STATUSES } from './queries.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs',
  validateSearch: searchOf({ status: oneOf(STATUSES), q: text, sort: oneOf(SORTS), page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/organization-list.tsx'), 'OrganizationList'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId',
  component: lazyRouteComponent(() => import('./screens/organization-page.tsx'), 'OrganizationPage'),
});

const merge = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$orgId/merge',
  validateSearch: searchOf({ survivor: text, run: text }),
  beforeLoad: demand('POST /orgs/organizations/{id}/merge-preview'),
  component: lazyRouteComponent(() => import('./screens/merge-page.tsx'), 'MergePage'),
});

export const organizationsRoutes = [list, one, merge] as const;
