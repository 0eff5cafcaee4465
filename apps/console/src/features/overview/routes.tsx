import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { may, meQuery } from '../../api/me.ts';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, searchOf } from '../../shell/search.ts';

/**
 * The start page of a role: operators see the partners, administrators the overview, technicians the approvals that
 * wait, auditors the log.
 */
const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: searchOf(CONTEXT),
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery);
    if (me.scope === 'system') throw redirect({ to: '/system/partners' });
    if (may(me, 'POST /pam/rules')) return;
    if (may(me, 'POST /pam/elevation-requests/{id}/respond')) throw redirect({ to: '/approvals' });
    throw redirect({ to: may(me, 'GET /audit-logs') ? '/audit' : '/requests' });
  },
  component: lazyRouteComponent(() => import('./screens/overview-page.tsx'), 'OverviewPage'),
});

export const homeRoutes = [home] as const;
