import { GatehouseError, type Problem } from '@gatehouse/client';
import { describe, expect, it } from '@jest/globals';
import { MantineProvider } from '@mantine/core';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { IntlProvider } from 'use-intl';
import { WORDS } from '../../words/index.ts';
import { Refusal } from './refusal.tsx';

describe('what a form tells of a refusal', () => {
  it('has the request id of a fault of the server, which its words ask to send', async () =>
    expect(await told(500, 'internal_error')).toContain('Request IDf00d'));

  it('has no request id where the person can help themselves', async () =>
    expect(await told(429, 'rate_limited')).not.toContain('f00d'));
});

async function told(status: number, code: string): Promise<string | null | undefined> {
  const place = document.createElement('div');
  const root = createRoot(place);
  const error = new GatehouseError(status, { status, code, requestId: 'f00d' } as Problem);
  await act(async () =>
    root.render(
      <MantineProvider>
        <IntlProvider locale="en-GB" messages={WORDS}>
          <Refusal error={error} />
        </IntlProvider>
      </MantineProvider>,
    ),
  );
  const text = place.querySelector('[role=alert]')?.textContent;
  await act(async () => root.unmount());
  return text;
}
