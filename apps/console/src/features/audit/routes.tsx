import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, id, instant, oneOf, searchOf, text } from '../../shell/search.ts';
import { RESULTS } from './model.ts';

const explorer = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: searchOf({
    ...CONTEXT,
    action: text,
    actor: text,
    resource: text,
    result: oneOf(RESULTS),
    from: instant,
    to: instant,
    q: text,
  }),
  component: lazyRouteComponent(() => import('./screens/audit-explorer.tsx'), 'AuditExplorer'),
});

const entry = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit/$entryId',
  params: { parse: ({ entryId }) => ({ entryId: id(entryId) ?? '' }), stringify: (params) => params },
  component: lazyRouteComponent(() => import('./screens/audit-entry.tsx'), 'AuditEntryPage'),
});

export const auditRoutes = [explorer, entry] as const;
