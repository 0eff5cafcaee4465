import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { pageNumber, searchOf, text } from '../../shell/search.ts';

const partners = createRoute({
  getParentRoute: () => rootRoute,
  path: '/system/partners',
  validateSearch: searchOf({ q: text, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/partner-list.tsx'), 'PartnerList'),
});

export const systemRoutes = [partners] as const;
