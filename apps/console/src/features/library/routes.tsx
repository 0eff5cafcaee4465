import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/root.tsx';
import { CONTEXT, pageNumber, searchOf } from '../../shell/search.ts';

const scripts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/scripts',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/script-list.tsx'), 'ScriptList'),
});

const customFields = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/custom-fields',
  validateSearch: searchOf({ ...CONTEXT, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/field-list.tsx'), 'FieldList'),
});

export const libraryRoutes = [scripts, customFields] as const;
