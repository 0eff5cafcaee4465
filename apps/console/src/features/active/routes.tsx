import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, oneOf, searchOf } from '../../shell/search.ts';
import { ACTIVE_SORTS } from '../../ui/elevation/active.ts';

const active = createRoute({
  getParentRoute: () => rootRoute,
  path: '/active',
  validateSearch: searchOf({ ...CONTEXT, sort: oneOf(ACTIVE_SORTS) }),
  component: lazyRouteComponent(() => import('./screens/active-list.tsx'), 'ActiveList'),
});

export const activeRoutes = [active] as const;
