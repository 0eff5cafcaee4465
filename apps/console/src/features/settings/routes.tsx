import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';

const partner = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/partner',
  component: lazyRouteComponent(() => import('./screens/partner-page.tsx'), 'PartnerPage'),
});

const branding = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/branding',
  component: lazyRouteComponent(() => import('./screens/branding-page.tsx'), 'BrandingPage'),
});

export const settingsRoutes = [partner, branding] as const;
