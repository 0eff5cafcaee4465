import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { id, searchOf, text } from '../../shell/search.ts';

const profile = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings/profile',
  validateSearch: searchOf({ ssoLinked: text, ssoLinkError: text, attempt: id }),
  component: lazyRouteComponent(() => import('./screens/profile-page.tsx'), 'ProfilePage'),
});

export const accountRoutes = [profile] as const;
