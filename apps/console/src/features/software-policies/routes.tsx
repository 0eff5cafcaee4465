import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, pageNumber, searchOf } from '../../shell/search.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/software-policies',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/policy-list.tsx'), 'PolicyList'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/software-policies/$policyId',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/policy-page.tsx'), 'PolicyPage'),
});

export const softwarePoliciesRoutes = [list, one] as const;
