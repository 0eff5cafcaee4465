import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { Choice } from './inputs.tsx';

describe('a choice', () => {
  it.each([null, '', 'gone'])('of %j shows none of its values as chosen', async (value) =>
    expect(await shown(value)).toBe(''),
  );

  it('does not pass off a value that is not loaded as "none"', async () =>
    expect(await shown('bergen', 'Whole organisation')).toBe('bergen'));

  it('shows the value that it has', async () => expect(await shown('oslo')).toBe('oslo'));
});

const SITES = [{ value: 'oslo', label: 'Oslo' }];

/** What the browser shows as chosen. */
async function shown(value: string | null, none?: string): Promise<string | undefined> {
  const place = document.createElement('div');
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <MantineProvider>
        <Choice
          aria-label="Site"
          data={SITES}
          value={value as 'oslo' | null}
          onChange={() => undefined}
          {...(none !== undefined && { none })}
        />
      </MantineProvider>,
    ),
  );
  const chosen = place.querySelector('select')?.value;
  await act(async () => root.unmount());
  return chosen;
}
