import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { demand } from '../../api/me.ts';
import { rootRoute } from '../../shell/shell.tsx';
import { CONTEXT, flag, id, oneOf, pageNumber, searchOf, text } from '../../shell/search.ts';
import { RESULTS, SCOPES } from './queries.ts';
import { STEPS } from './model.ts';

const list = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on',
  validateSearch: searchOf({ ...CONTEXT, scope: oneOf(SCOPES), attention: flag }),
  component: lazyRouteComponent(() => import('./screens/provider-list.tsx'), 'ProviderList'),
});

const connect = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/new',
  validateSearch: searchOf({ ...CONTEXT, step: oneOf(STEPS), preset: text, provider: id, field: text }),
  beforeLoad: demand('POST /sso/providers'),
  component: lazyRouteComponent(() => import('./screens/connect-provider.tsx'), 'ConnectProvider'),
});

const one = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/$providerId',
  component: lazyRouteComponent(() => import('./screens/provider-page.tsx'), 'ProviderPage'),
});

const domains = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/domains',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/domain-list.tsx'), 'DomainList'),
});

const setupLinks = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/set-up',
  validateSearch: searchOf(CONTEXT),
  component: lazyRouteComponent(() => import('./screens/setup-links.tsx'), 'SetupLinks'),
});

const attempts = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/attempts',
  validateSearch: searchOf({ ...CONTEXT, provider: id, result: oneOf(RESULTS), email: text, page: pageNumber }),
  component: lazyRouteComponent(() => import('./screens/sign-in-attempts.tsx'), 'SignInAttempts'),
});

const attempt = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/attempts/$attemptId',
  component: lazyRouteComponent(() => import('./screens/sign-in-attempt.tsx'), 'SignInAttempt'),
});

const edit = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-on/$providerId/edit',
  validateSearch: searchOf({ field: text }),
  beforeLoad: demand('PATCH /sso/providers/{id}'),
  component: lazyRouteComponent(() => import('./screens/edit-provider.tsx'), 'EditProvider'),
});

/** Identity brings the browser here at the end of a test sign-in. */
const test = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sso-test',
  validateSearch: searchOf({ attempt: id }),
  component: lazyRouteComponent(() => import('./screens/sso-test.tsx'), 'SsoTest'),
});

export const signOnRoutes = [test, list, connect, domains, setupLinks, attempts, attempt, one, edit] as const;
