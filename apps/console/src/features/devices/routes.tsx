import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/shell.tsx';
import { CONTEXT, flag, id, oneOf, pageNumber, searchOf, text } from '../../shell/search.ts';
import { STATES } from './queries.ts';
import { STATUSES } from '../../ui/elevation/request.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices',
  validateSearch: searchOf({ ...CONTEXT, group: id, status: oneOf(STATES), silent: flag, q: text, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/device-list.tsx'), 'DeviceList'),
});

const groups = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/groups',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/group-list.tsx'), 'GroupList'),
});

const group = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/groups/$groupId',
  validateSearch: searchOf({ q: text, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/group-page.tsx'), 'GroupPage'),
});

const device = createRoute({
  getParentRoute: () => rootRoute,
  path: '/devices/$deviceId',
  component: lazyRouteComponent(() => import('./screens/device-screen.tsx'), 'DeviceScreen'),
});

const overview = createRoute({
  getParentRoute: () => device,
  path: '/',
  component: lazyRouteComponent(() => import('./screens/device-overview.tsx'), 'DeviceOverview'),
});

const elevations = createRoute({
  getParentRoute: () => device,
  path: 'elevations',
  validateSearch: searchOf({ status: oneOf(STATUSES), page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/device-elevations.tsx'), 'DeviceElevations'),
});

const active = createRoute({
  getParentRoute: () => device,
  path: 'active',
  component: lazyRouteComponent(() => import('./screens/device-elevations.tsx'), 'DeviceWindows'),
});

const configuration = createRoute({
  getParentRoute: () => device,
  path: 'configuration',
  component: lazyRouteComponent(() => import('./screens/device-configuration.tsx'), 'DeviceConfiguration'),
});

const fields = createRoute({
  getParentRoute: () => device,
  path: 'fields',
  component: lazyRouteComponent(() => import('./screens/device-fields.tsx'), 'DeviceFields'),
});

const audit = createRoute({
  getParentRoute: () => device,
  path: 'audit',
  component: lazyRouteComponent(() => import('./screens/device-audit.tsx'), 'DeviceAudit'),
});

const tabs = [overview, elevations, active, configuration, fields, audit] as const;

export const devicesRoutes = [list, groups, group, device.addChildren(tabs)] as const;
