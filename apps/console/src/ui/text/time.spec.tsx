import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { Instant } from './time.tsx';

beforeEach(() => void jest.useFakeTimers({ now: NOON }));
afterEach(() => void jest.useRealTimers());

describe('a moment within a day', () => {
  it('that another one replaces is told by the time of then', async () => {
    const place = document.createElement('div');
    const root = createRoot(place);
    await show(root, NOON - 60_000);
    jest.setSystemTime(NOON + 8000);
    await show(root, NOON + 7000);
    expect(place.querySelector('time')?.textContent).toBe('1 second ago');
    await act(async () => root.unmount());
  });

  it('that has just been, by a clock some seconds ahead, is not still to come', async () => {
    const place = document.createElement('div');
    const root = createRoot(place);
    await show(root, NOON + 2000);
    expect(place.querySelector('time')?.textContent).toBe('now');
    await act(async () => root.unmount());
  });
});

const SHORT = { timeStyle: 'short' } as const;
const FORMATS = { dateTime: { moment: SHORT, zoned: SHORT } };
const NOON = Date.parse('2026-11-30T12:00:00Z');

const show = (root: ReturnType<typeof createRoot>, at: number) =>
  act(async () =>
    root.render(
      <MantineProvider>
        <IntlProvider locale="en-GB" formats={FORMATS} timeZone="UTC">
          <Instant at={new Date(at).toISOString()} />
        </IntlProvider>
      </MantineProvider>,
    ),
  );
