import '@mantine/core/styles.css';
import './shell/shell.css';
import { GatehouseError } from '@gatehouse/client';
import { Box, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { denyAhead, meQuery } from './api/me.ts';
import { useFormats } from './shell/formats.ts';
import { startLiveUpdates } from './shell/live-updates.ts';
import { queryClient, router } from './router.tsx';
import { readableColors, theme } from './shell/theme.ts';
import { WORDS } from './words/index.ts';
import { whenIdle } from './ui/later/lazy-part.ts';
import { followPresses } from './ui/page.tsx';
import { ErrorView } from './ui/state-views.tsx';
import { beforeSignOut } from './ui/sign-out.ts';

/** The nonce under which the page's policy allows style elements; none while developing. */
const nonce = document.querySelector<HTMLElement>('link[rel=stylesheet], script[nonce]')?.nonce ?? '';

/** English words, with dates and times as the partner writes them. */
function Texts({ children }: { readonly children: ReactNode }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <IntlProvider {...useFormats()} messages={WORDS} timeZone={timeZone}>
      {children}
    </IntlProvider>
  );
}

/** Draws the page in the product's colours. */
function draw(content: ReactNode): void {
  if (nonce !== '') setNonce(nonce);
  // A screen tells what the server refuses; only a fault of the console belongs in the browser's log.
  const onCaughtError = (error: unknown) => error instanceof GatehouseError || reportError(error);
  createRoot(document.getElementById('root')!, { onCaughtError }).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={readableColors}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        {content}
      </MantineProvider>
    </StrictMode>,
  );
}

/** In place of the first screen: what kept it away, with another try. */
export const showFailure = (error: unknown): void =>
  draw(
    <IntlProvider locale="en-GB" messages={WORDS}>
      <Box component="main" p="md">
        <ErrorView error={error} retry={() => location.reload()} />
      </Box>
    </IntlProvider>,
  );

/** Loads the signed-in person and shows the application. */
export async function start(): Promise<void> {
  denyAhead(queryClient);
  await queryClient.fetchQuery(meQuery);
  followPresses(router);
  await router.load();
  startLiveUpdates(queryClient);
  beforeSignOut(async () => (await import('./shell/worker/subscription.ts')).leavePushes());
  draw(
    <QueryClientProvider client={queryClient}>
      <Texts>
        <RouterProvider router={router} />
      </Texts>
    </QueryClientProvider>,
  );
  if (import.meta.env.PROD) void startBeside();
}

/** Begins what goes on beside the screens once the first one is there. */
async function startBeside(): Promise<void> {
  await whenIdle();
  // Where it is missing, the shell misses it too, and has the page reloaded.
  const panel = await import('./shell/side-panel.tsx').catch(() => undefined);
  await panel?.startWorker(() => queryClient.isFetching() === 0);
}
