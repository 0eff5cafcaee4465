import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { Choice } from './inputs.tsx';

describe('a choice', () => {
  it.each([null, '', 'gone'])('of %j shows none of its values as chosen', async (value) =>
    expect(await shown(value)).toBe(''),
  );

  it('shows the value that it has', async () => expect(await shown('oslo')).toBe('oslo'));
});

const SITES = [{ value: 'oslo', label: 'Oslo' }];

/** What the browser shows as chosen. */
async function shown(value: string | null): Promise<string | undefined> {
  const place = document.createElement('div');
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <MantineProvider>
        <Choice aria-label="Site" data={SITES} value={value as 'oslo' | null} onChange={() => undefined} />
      </MantineProvider>,
    ),
  );
  const chosen = place.querySelector('select')?.value;
  await act(async () => root.unmount());
  return chosen;
}
