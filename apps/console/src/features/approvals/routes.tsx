import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/shell.tsx';
import { CONTEXT, id, oneOf, pageNumber, searchOf, text } from '../../shell/search.ts';
import { FLOWS } from '../../ui/elevation/request.ts';
import { FLAGS, QUEUE_SORTS, readAhead } from './queries.ts';

const queue = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: searchOf({
    ...CONTEXT,
    device: id,
    flag: oneOf(FLAGS),
    flow: oneOf(FLOWS),
    q: text,
    sort: oneOf(QUEUE_SORTS),
    page: pageNumber,
  }),
  beforeLoad: readAhead,
  component: lazyRouteComponent(() => import('./screens/approval-queue.tsx'), 'ApprovalQueue'),
});

/** The target of a push notification. */
const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals/$approvalId',
  component: lazyRouteComponent(() => import('./screens/approval-card.tsx'), 'ApprovalCard'),
});

export const approvalsRoutes = [queue, one] as const;
