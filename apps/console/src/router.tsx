import { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { featureRoutes } from './features/index.ts';
import { ErrorView, LoadingView } from './ui/state-views.tsx';
import { rootRoute } from './shell/shell.tsx';
import { parseSearch, stringifySearch } from './shell/search.ts';

const STALE_AFTER = 30_000;

export const queryClient = new QueryClient({
  // The client's own layers repeat what may be repeated.
  defaultOptions: { queries: { staleTime: STALE_AFTER, retry: false }, mutations: { retry: false } },
});

export const router = createRouter({
  routeTree: rootRoute.addChildren(featureRoutes),
  context: { queryClient },
  parseSearch,
  stringifySearch,
  // What no route knows leaves the address too.
  search: { strict: true },
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingView,
  defaultErrorComponent: ({ error, reset }) => <ErrorView error={error} retry={reset} />,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
