import { createRoute, redirect } from '@tanstack/react-router';
import { may, meQuery } from '../../api/me.ts';
import { rootRoute } from '../../shell/root.tsx';

/** The start page of a role: technicians decide, auditors read the log. */
const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const me = await context.queryClient.ensureQueryData(meQuery);
    throw redirect({ to: may(me, 'POST /pam/elevation-requests/{id}/respond') ? '/approvals' : '/requests' });
  },
});

export const homeRoutes = [home] as const;
