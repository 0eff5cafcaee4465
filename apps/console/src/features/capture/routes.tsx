import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, searchOf } from '../../shell/search.ts';

const defaults = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/defaults',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/defaults-page.tsx'), 'DefaultsPage'),
});

export const captureRoutes = [defaults] as const;
