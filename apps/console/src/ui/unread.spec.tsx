import { GatehouseError, type Problem } from '@gatehouse/client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { WORDS } from '../words/index.ts';
import { Refusal } from './forms/refusal.tsx';
import { TOLD_IN_PLACE, UnreadNotice } from './unread.tsx';

const fault = (status: number) =>
  new GatehouseError(status, { status, code: 'internal_error', requestId: 'f00d' } as Problem);

describe('the notice of what could not be read', () => {
  it.each([
    ['a fault of the server', fault(500), 'Some data on this screen could not be loaded.Try againRequest IDf00d'],
    ['a limit that still holds', fault(429), 'Some data on this screen could not be loaded.Try again'],
    ['a lost connection', new TypeError('Failed to fetch'), 'Some data on this screen could not be loaded.Try again'],
  ])('tells %s', async (_, error, notice) => {
    answer = () => Promise.reject(error);
    await draw(<Silent />);
    expect(shown()?.replace('Copy', '')).toBe(notice);
  });

  it.each([
    ['that there is nothing', 404],
    ['a refusal', 403],
  ])('does not tell %s, which is an answer', async (_, status) => {
    answer = () => Promise.reject(fault(status));
    await draw(<Silent />);
    expect(shown()).toBeUndefined();
  });

  it('is not there where a view tells the error, and comes when that view goes', async () => {
    answer = () => Promise.reject(fault(500));
    await draw(<Telling />);
    expect(shown()).toBeUndefined();
    await draw(<Silent />);
    expect(shown()).toContain('f00d');
  });

  it('is not there for a query whose part tells by itself', async () => {
    answer = () => Promise.reject(fault(500));
    await draw(<Silent meta={TOLD_IN_PLACE} />);
    expect(shown()).toBeUndefined();
  });

  it('asks again for what could not be read, and goes when it is there', async () => {
    answer = () => Promise.reject(fault(503));
    await draw(<Silent />);
    answer = () => Promise.resolve('there');
    await act(async () => place.querySelector('button')?.click());
    await settled();
    expect([shown(), place.querySelector('p')?.textContent]).toEqual([undefined, 'there']);
  });

  let answer: () => Promise<string>;
  let place: HTMLElement;
  let root: Root;
  let queryClient: QueryClient;

  beforeEach(() => {
    place = document.createElement('div');
    root = createRoot(place);
    queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  });
  afterEach(async () => {
    await act(async () => root.unmount());
    queryClient.clear();
  });

  const useAsked = (meta?: object) =>
    useQuery({ queryKey: ['x'], queryFn: () => answer(), ...(meta && { meta: { ...meta } }) });
  const Silent = ({ meta }: { readonly meta?: object }) => <p>{useAsked(meta).data}</p>;
  const Telling = () => <Refusal error={useAsked().error} />;
  const shown = () => place.querySelector('[role=status]')?.textContent ?? undefined;

  async function draw(part: ReactNode): Promise<void> {
    await act(async () =>
      root.render(
        <MantineProvider>
          <IntlProvider locale="en-GB" messages={WORDS}>
            <QueryClientProvider client={queryClient}>
              <UnreadNotice />
              {part}
            </QueryClientProvider>
          </IntlProvider>
        </MantineProvider>,
      ),
    );
    await settled();
  }

  /** Waits until no query is under way and its result is drawn. */
  async function settled(): Promise<void> {
    const tick = () => new Promise((resolve) => setTimeout(resolve, 0));
    await act(async () => {
      while (queryClient.isFetching() > 0) await tick();
      await tick();
    });
  }
});
