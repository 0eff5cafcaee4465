import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/shell.tsx';
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

const scriptImport = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/scripts/import',
  validateSearch: searchOf(CONTEXT),
  beforeLoad: demand('POST /scripts/import'),
  component: lazyRouteComponent(() => import('./screens/script-import.tsx'), 'ScriptImport'),
});

const fieldImport = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/custom-fields/import',
  validateSearch: searchOf(CONTEXT),
  beforeLoad: demand('POST /custom-fields/import'),
  component: lazyRouteComponent(() => import('./screens/field-import.tsx'), 'FieldImport'),
});

const valueImport = createRoute({
  getParentRoute: () => rootRoute,
  path: '/library/custom-fields/values',
  validateSearch: searchOf(CONTEXT),
  beforeLoad: demand('POST /devices/custom-fields/import'),
  component: lazyRouteComponent(() => import('./screens/value-import.tsx'), 'ValueImport'),
});

export const libraryRoutes = [scripts, scriptImport, customFields, fieldImport, valueImport] as const;
