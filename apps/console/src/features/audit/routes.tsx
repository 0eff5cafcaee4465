import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/shell.tsx';
import { CONTEXT, id, instant, oneOf, searchOf, text } from '../../shell/search.ts';
import { ACTORS, KINDS, RESULTS } from './model.ts';

/** A partner's chain, or that of the system. */
const chain = (value: string) => (value === 'system' ? value : id(value));

const explorer = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: searchOf({
    ...CONTEXT,
    action: text,
    by: oneOf(ACTORS),
    actor: text,
    kind: oneOf(KINDS),
    resource: text,
    result: oneOf(RESULTS),
    from: instant,
    to: instant,
    q: text,
    chain,
  }),
  beforeLoad: demand('GET /audit-logs'),
  component: lazyRouteComponent(() => import('./screens/audit-explorer.tsx'), 'AuditExplorer'),
});

const entry = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit/$entryId',
  component: lazyRouteComponent(() => import('./screens/audit-entry.tsx'), 'AuditEntryPage'),
});

export const auditRoutes = [explorer, entry] as const;
