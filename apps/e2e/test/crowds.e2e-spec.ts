import type { Api } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESS } from './access-table.ts';
import { TAKEN } from './known-members.ts';
import { tenantThings } from './tenant-things.ts';
import { makeTenant, partnerAdministrator, startWorld, type Tenant, type World } from './world.ts';

const ROUTES = TAKEN.map(({ route }) => route).filter((route) => route.startsWith('PATCH '));

describe('a crowd of changes by one person', () => {
  let world: World;
  let loud: Tenant;
  let things: Record<string, string>;
  let partner: Api;
  let quiet: Api;
  let quietTenant: Tenant;
  beforeAll(async () => {
    world = await startWorld();
    loud = await makeTenant(world.admin);
    things = await tenantThings(world, loud);
    partner = await partnerAdministrator(world, loud.partnerId);
    quietTenant = await makeTenant(world.admin);
    quiet = await partnerAdministrator(world, quietTenant.partnerId);
  }, 240_000);
  afterAll(() => world.stop(), 60_000);

  it.each(ROUTES)(
    'ATK-202 R-61: sixty at once of %s are all made, and a quiet tenant is served before them',
    async (route) => {
      const api = isPartnerOnly(route) ? partner : world.admin;
      const { endedBefore, statuses } = await beside(
        (at) => api.call('PATCH', addressOf(route), bodyOf(route, at)),
        () => quiet.must('GET', readBeside(route)),
      );
      expect(statuses).toEqual([200]);
      expect(endedBefore).toBeLessThan(MAX_ENDED);
    },
  );

  it('ATK-203 R-62: sixty changes of a rule of a partner delay no freeze, no revocation and no sign-in elsewhere', async () => {
    const { rule } = await partner.must<{ rule: { id: string } }>('POST', '/pam/rules', {
      ownerScope: 'partner',
      partnerId: loud.partnerId,
      name: 'everywhere',
      precedence: 'before',
      verdict: 'auto_deny',
      matchPathGlob: 'C:\\crowd\\**',
    });
    const { endedBefore, statuses } = await beside(
      (at) => partner.call('PATCH', `/pam/rules/${rule.id}`, { name: `everywhere ${at}` }),
      () =>
        quiet.must('POST', '/pam/freezes', {
          level: 'organization',
          targetId: quietTenant.orgId,
          mode: 'lockdown',
          reason: 'an emergency',
        }),
    );
    expect(statuses).toEqual([200]);
    expect(endedBefore).toBeLessThan(MAX_ENDED);
  });

  it('R-63: sixty rules made at once in one organisation are all made', async () => {
    const { statuses } = await beside(
      (at) =>
        world.admin.call('POST', '/pam/rules', {
          orgId: loud.orgId,
          name: `rule ${at}`,
          verdict: 'auto_deny',
          matchPathGlob: `C:\\crowd\\${at}\\**`,
        }),
      () => quiet.must('GET', '/pam/rules'),
    );
    expect(statuses).toEqual([201]);
  });

  function addressOf(route: string): string {
    const path = route.replace('PATCH ', '');
    const prefix = path.slice(0, path.indexOf('/{'));
    return path.replace(/\{\w+\}/, things[prefix] ?? '');
  }

  function bodyOf(route: string, at: number): object {
    const own: Readonly<Record<string, object>> = {
      'PATCH /orgs/organizations/order': { organizationOrder: [loud.orgId] },
      'PATCH /devices/{id}': { displayName: `pc ${at}` },
      'PATCH /devices/{id}/custom-fields': { values: { matrix: `value ${at}` } },
    };
    return own[route] ?? { name: `name ${at}` };
  }

  /**
   * Counts the statuses of the writers, and those that had ended when the work beside them had. A busy machine may
   * delay that work once; what waits for a connection ends late each time.
   */
  async function beside(write: (at: number) => ReturnType<Api['call']>, work: () => Promise<unknown>) {
    const statuses = new Set<number>();
    let endedBefore = WRITERS;
    for (let round = 0; round < ROUNDS && endedBefore >= MAX_ENDED; round++) {
      let ended = 0;
      const writers = Array.from({ length: WRITERS }, async (_, at) => {
        statuses.add((await write(at)).status);
        ended++;
      });
      await work();
      endedBefore = ended;
      await Promise.all(writers);
    }
    return { endedBefore, statuses: [...statuses] };
  }
});

const ROUNDS = 3;
const WRITERS = 60;
/** A read that waited for a connection behind the writers would end after all but the ten that held one. */
const MAX_ENDED = 45;
const isPartnerOnly = (route: string): boolean => (ACCESS[route] ?? '').split(' ').includes('partner');

const READS: readonly (readonly [RegExp, string])[] = [
  [/^PATCH \/(users|roles|sso)/, '/users'],
  [/^PATCH \/pam/, '/pam/rules'],
  [/./, '/orgs/organizations'],
];
const readBeside = (route: string): string => READS.find(([routes]) => routes.test(route))?.[1] ?? '';
