import type { OpenAs } from '../journey.ts';
import type { World } from '../world.ts';
import { expectSmallHeap, findInPalette, openLists, openTree, search, switchTo, type Times } from './large-partner.ts';
import { largestOrganization, seed, type Size } from './seed.ts';
import { Traffic } from './traffic.ts';

interface Scene {
  readonly world: World;
  readonly openAs: OpenAs;
  readonly size: Size;
}

const padded = (n: number): string => String(n).padStart(6, '0');

/** Looks at everything that grows with a partner, in one page. */
export async function walk({ world, openAs, size }: Scene) {
  const tenant = await world.makeTenant();
  const person = await world.makePerson('Partner Admin', tenant);
  await seed(world.postgres, tenant, size);
  const page = await openAs(person, '/');
  const traffic = Traffic.in(page);
  const times: Times = new Map();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await openLists(page, times);
  const heap = await expectSmallHeap(page);
  await switchTo(page, times, `Customer ${padded(size.organizations - 1)}`);
  await findInPalette(page, times, `HOST-${padded(size.devices - 1)}`);
  await search(page, times, '/requests', 'tool-42.exe');
  await search(page, times, '/devices', `HOST-${padded(size.devices - 1)}`);
  await search(page, times, '/orgs', `Customer ${padded(size.organizations - 1)}`);
  await search(page, times, '/people', `Person ${padded(size.people - 1)}`);
  await openTree(page, times, largestOrganization(tenant), `Site ${padded(size.sites / 4)}`);
  return { times, heap, faults: await traffic.faults(), calls: traffic.calls.length };
}
