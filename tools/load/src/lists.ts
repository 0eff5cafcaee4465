import { DirectDoor, partnerPrincipal } from './callers.ts';
import { expectStatus } from './http.ts';
import { DEVICES, ORGANIZATIONS, seedLists } from './lists-seed.ts';
import { type BenchOptions, median, repeated, say, table, whole } from './command-line.ts';
import { withProduct } from './product.ts';

import { makeTenant } from './tenant.ts';

/** Journey 20 of the console: the first row of every list is there within a second. */
const TARGET_MS = 1000;
const REQUESTS = '/pam/elevation-requests?limit=50';
const ENTRIES = '/audit-logs?limit=50';

/** The lists of each service that grow with use: as they open, filtered, searched, sorted and deep. */
const LISTS: readonly (readonly [string, string])[] = [
  ['pam', REQUESTS],
  ['pam', `${REQUESTS}&page=2000`],
  ['pam', `${REQUESTS}&decisionSource=human`],
  ['pam', `${REQUESTS}&search=tool-42.exe`],
  ['pam', `${REQUESTS}&search=HOST-004242`],
  ['pam', `${REQUESTS}&search=no-such-text`],
  ['pam', `${REQUESTS}&search=tool-42.exe&status=denied&page=3`],
  ['pam', `${REQUESTS}&status=pending&sort=deviceHostname`],
  ['audit', ENTRIES],
  ['audit', `${ENTRIES}&search=Person%2042`],
  ['audit', `${ENTRIES}&search=Site%20999000`],
  ['audit', `${ENTRIES}&search=no-such-text`],
  ['audit', `${ENTRIES}&action=pam.rule.*`],
  ['tenancy', '/orgs/organizations?search=0042'],
  ['tenancy', '/orgs/sites?search=0042'],
  ['tenancy', '/devices?search=0042'],
  ['tenancy', '/devices?search=no-such-text'],
  ['tenancy', '/devices?page=2000'],
  ['identity', '/users?limit=50'],
  ['identity', '/users?search=0042'],
  ['identity', '/users?limit=50&page=400'],
];

async function timed(once: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await once();
  return performance.now() - from;
}

/** The first answers of lists that a large partner reads: 1 000 000 requests and entries, 100 000 devices. */
export async function benchLists({ rounds, history }: BenchOptions): Promise<void> {
  await withProduct({}, async (product) => {
    const tenant = await makeTenant(product, 1);
    await seedLists(product, tenant, { requests: history, entries: history });
    const principal = partnerPrincipal(tenant.partnerId);
    const rows = [['list', 'rows', 'first ms', 'median ms', '']];
    for (const [service, path] of LISTS) {
      const door = await DirectDoor.open(product, service);
      const headers = await door.headers(principal, 'partner');
      const read = () => expectStatus(200, door.url(path), { headers });
      const first = await timed(read);
      const later = median(await repeated(rounds, () => timed(read)));
      const { text } = await read();
      const shown = Object.values(JSON.parse(text) as object).find(Array.isArray) as unknown[];
      rows.push([path, whole(shown.length), whole(first), whole(later), first > TARGET_MS ? 'slow' : '']);
    }
    say(table(rows));
    say(
      `one client, at the service; ${ORGANIZATIONS} organisations, ${DEVICES} devices, ${history} requests, ${history} entries; first: not asked before`,
    );
  });
}
