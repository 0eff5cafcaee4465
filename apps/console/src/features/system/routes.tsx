import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { pageNumber, searchOf, text } from '../../shell/search.ts';

const partners = createRoute({
  getParentRoute: () => rootRoute,
  path: '/system/partners',
  validateSearch: searchOf({ q: text, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/partner-list.tsx'), 'PartnerList'),
});

const services = createRoute({
  getParentRoute: () => rootRoute,
  path: '/system/services',
  component: lazyRouteComponent(() => import('./screens/service-health.tsx'), 'ServiceHealth'),
});

export const systemRoutes = [partners, services] as const;
