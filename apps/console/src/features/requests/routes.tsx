import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/shell.tsx';
import { CONTEXT, id, instant, oneOf, pageNumber, searchOf, several, text } from '../../shell/search.ts';
import { FLOWS, STATUSES } from '../../ui/elevation/request.ts';
import { OUTCOMES, SHARED, SORTS, SOURCES } from './model.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  validateSearch: searchOf({
    ...CONTEXT,
    status: several(oneOf(STATUSES)),
    flow: oneOf(FLOWS),
    source: oneOf(SOURCES),
    device: id,
    rule: id,
    earlier: id,
    shared: oneOf(SHARED),
    outcome: oneOf(OUTCOMES),
    from: instant,
    to: instant,
    q: text,
    sort: oneOf(SORTS),
    page: pageNumber,
  }),
  component: lazyRouteComponent(() => import('./screens/request-list.tsx'), 'RequestList'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('./screens/request-page.tsx'), 'RequestPage'),
});

export const requestsRoutes = [list, one] as const;
