import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, id, pageNumber, searchOf } from '../../shell/search.ts';

const defaults = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/defaults',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/defaults-page.tsx'), 'DefaultsPage'),
});

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/capture',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber, device: id }),
  component: lazyRouteComponent(() => import('./screens/capture-list.tsx'), 'CaptureList'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/capture/$policyId',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/capture-policy.tsx'), 'CapturePolicyPage'),
});

export const captureRoutes = [defaults, list, one] as const;
