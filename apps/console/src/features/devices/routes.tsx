import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, id, oneOf, pageNumber, searchOf, text } from '../../shell/search.ts';
import { STATES } from './queries.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices',
  validateSearch: searchOf({ ...CONTEXT, group: id, status: oneOf(STATES), q: text, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/device-list.tsx'), 'DeviceList'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/$deviceId',
  component: lazyRouteComponent(() => import('./screens/device-page.tsx'), 'DevicePage'),
});

export const devicesRoutes = [list, one] as const;
