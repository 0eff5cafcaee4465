import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, oneOf, searchOf } from '../../shell/search.ts';
import { SORTS } from './queries.ts';

const active = createRoute({
  getParentRoute: () => rootRoute,
  path: '/active',
  validateSearch: searchOf({ ...CONTEXT, sort: oneOf(SORTS) }),
  component: lazyRouteComponent(() => import('./screens/active-list.tsx'), 'ActiveList'),
});

export const activeRoutes = [active] as const;
