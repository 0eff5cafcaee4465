import { afterEach, expect, it, jest } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../api/transport/send.ts';
import { QUEUE_ROWS } from './ahead.ts';
import { queueQuery, readAhead } from './queries.ts';

afterEach(() => {
  globalThis.fetch = original;
  queryClient.clear();
});

it('the queue without a filter reads what was asked for ahead, once', async () => {
  const fetched = jest.fn<typeof fetch>(async () => Response.json({ requests: [] }));
  globalThis.fetch = fetched;
  askAhead(QUEUE_ROWS);
  readAhead({ context: { queryClient }, search: {} });
  await expect(queryClient.fetchQuery(queueQuery({}))).resolves.toEqual({ requests: [] });
  expect(fetched).toHaveBeenCalledTimes(1);
});

const original = globalThis.fetch;
const queryClient = new QueryClient();
