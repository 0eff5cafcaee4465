import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, pageNumber, searchOf } from '../../shell/search.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/signer-groups',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/signer-group-list.tsx'), 'SignerGroupList'),
});

export const signerGroupsRoutes = [list] as const;
