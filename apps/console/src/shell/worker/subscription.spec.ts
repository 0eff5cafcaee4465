import { jest } from '@jest/globals';
import { webcrypto } from 'node:crypto';
import { changePreferences, preferences } from '../preferences.ts';

/** That of Node, which an imported module opens, would keep the test's process alive. */
class QuietChannel extends EventTarget {
  postMessage(): void {}
}
Object.assign(globalThis, { BroadcastChannel: QuietChannel });
const { leavePushes, repairSubscription, subscribeHere } = await import('./subscription.ts');

const [ADA, BEN] = ['ada', 'ben'];
let browser: Browser;
let user: string;
/** The subscriptions that the server has, by their user. */
let rows: { id: string; user: string; endpoint: string; label: string | null }[];

beforeAll(() => {
  const locks = { request: (_: string, act: () => unknown) => act() };
  const serviceWorker = { ready: Promise.resolve(worker), getRegistration: async () => worker };
  for (const [name, value] of Object.entries({ locks, serviceWorker }))
    Object.defineProperty(navigator, name, { value, configurable: true });
  const permission = { permission: 'granted', requestPermission: async () => 'granted' };
  for (const [name, value] of Object.entries({ Notification: permission, PushManager: pushManager, fetch: serve }))
    Object.defineProperty(globalThis, name, { value, configurable: true });
  Object.defineProperty(globalThis.crypto, 'subtle', { value: webcrypto.subtle, configurable: true });
});
beforeEach(() => {
  browser = { endpoint: null, made: 0 };
  rows = [];
  user = ADA;
  changePreferences({ push: null });
  closed.mockClear();
});

describe('the pushes of a browser', () => {
  it('of one person are dropped, not inherited, by the next one who opens the console (ATK-05j)', async () => {
    await subscribeHere('Desk');
    user = BEN;
    browser.endpoint = 'changed';
    await repairSubscription();
    expect([placesOf(BEN), browser.endpoint, preferences().push]).toEqual([[], null, null]);
    expect(closed).toHaveBeenCalled();
  });

  it('get an address of their own for the next person who wants them', async () => {
    await subscribeHere('Desk');
    user = BEN;
    await subscribeHere('Desk');
    expect([placesOf(ADA), placesOf(BEN)]).toEqual([['address-1'], ['address-2']]);
  });

  it('end when their user signs out', async () => {
    await subscribeHere('Desk');
    await leavePushes();
    expect([rows, browser.endpoint, preferences().push]).toEqual([[], null, null]);
  });

  it('go on for their own user at an address that the browser has changed', async () => {
    await subscribeHere('Desk');
    browser.endpoint = 'changed';
    await repairSubscription();
    expect(rows).toEqual([{ id: 'row-changed', user: ADA, endpoint: 'changed', label: 'Desk' }]);
  });

  it.each([
    [ADA, 'address-1'],
    [BEN, null],
  ])('of an earlier version, which named no owner, are for %s at %s', async (next, endpoint) => {
    await subscribeHere('Desk');
    const { id, digest } = preferences().push ?? { id: '', digest: '' };
    changePreferences({ push: { id, digest } });
    user = next;
    await repairSubscription();
    expect(browser.endpoint).toBe(endpoint);
  });
});

interface Browser {
  endpoint: string | null;
  made: number;
}
const closed = jest.fn();

const answer = (data: unknown, status = 200) =>
  new Response(JSON.stringify(data), { status, headers: { 'content-type': 'application/json' } });

async function serve(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const id = pathname.split('/').at(-1) ?? '';
  if (id === 'me') return answer({ user: { id: user } });
  if (id === 'vapid-key') return answer({ data: { publicKey: 'AAAA' } });
  const own = rows.filter((row) => row.user === user);
  if (request.method === 'GET') return answer({ data: own });
  if (request.method === 'DELETE') {
    if (!own.some((row) => row.id === id)) return answer({ code: 'push_subscription_not_found' }, 404);
    rows = rows.filter((row) => row.id !== id);
    return answer({ success: true });
  }
  const { endpoint, label } = (await request.json()) as { endpoint: string; label: string | null };
  const row = { id: `row-${endpoint}`, user, endpoint, label };
  rows.push(row);
  return answer({ data: row }, 201);
}

const pushOf = (endpoint: string) => ({
  endpoint,
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: async () => {
    browser.endpoint = null;
    return true;
  },
});

const pushManager = {
  getSubscription: async () => (browser.endpoint === null ? null : pushOf(browser.endpoint)),
  subscribe: async () => pushOf((browser.endpoint = `address-${++browser.made}`)),
};
const worker = { pushManager, getNotifications: async () => [{ close: closed }] };

const placesOf = (name: string) => rows.filter((row) => row.user === name).map(({ endpoint }) => endpoint);
