import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, pageNumber, searchOf } from '../../shell/search.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/signer-groups',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/signer-group-list.tsx'), 'SignerGroupList'),
});

const ofPartner = createRoute({
  getParentRoute: () => rootRoute,
  path: '/rules/partner/signer-groups',
  validateSearch: searchOf({ page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/partner-signer-groups.tsx'), 'PartnerSignerGroups'),
});

export const signerGroupsRoutes = [list, ofPartner] as const;
