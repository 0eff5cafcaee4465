import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext } from '@tanstack/react-router';
import { NotFoundView } from '../ui/state-views.tsx';
import { Shell } from './shell.tsx';

/** The shell around every screen. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Shell,
  notFoundComponent: NotFoundView,
});
