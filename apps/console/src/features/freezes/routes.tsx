import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, oneOf, searchOf } from '../../shell/search.ts';
import { STATES } from './model.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/freezes',
  validateSearch: searchOf({ ...CONTEXT, state: oneOf(STATES) }),
  component: lazyRouteComponent(() => import('./screens/freeze-list.tsx'), 'FreezeList'),
});

export const freezesRoutes = [list] as const;
