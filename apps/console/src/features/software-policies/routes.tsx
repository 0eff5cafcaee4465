import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, id, oneOf, pageNumber, searchOf } from '../../shell/search.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/software-policies',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/policy-list.tsx'), 'PolicyList'),
});

const LEVELS = ['partner', 'organization', 'site', 'group', 'device'] as const;

const places = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/software-policies/places',
  validateSearch: searchOf({ ...CONTEXT, level: oneOf(LEVELS), place: id }),
  component: lazyRouteComponent(() => import('./screens/policy-places.tsx'), 'PolicyPlaces'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/software-policies/$policyId',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/policy-page.tsx'), 'PolicyPage'),
});

export const softwarePoliciesRoutes = [list, places, one] as const;
