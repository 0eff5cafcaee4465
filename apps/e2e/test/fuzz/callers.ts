import type { Api } from '@gatehouse/stack';
import { partnerAdministrator, type Tenant, type World } from '../world.ts';
import { visitOf } from '../tenant-things.ts';
import type { Route } from './contract.ts';

export const CALLERS = ['able', 'able', 'able', 'able', 'able', 'other', 'other', 'nobody', 'forger'] as const;
export type CallerName = (typeof CALLERS)[number];

const isLiving = async (api: Api): Promise<boolean> => (await api.call('GET', '/auth/me')).status === 200;

/** The sessions with which operations are called; requests that end one do not stop the others. */
export class Callers {
  private visit = '';

  private constructor(
    private readonly world: World,
    private readonly tenant: Tenant,
    private readonly partner: Api,
    private own: Api,
  ) {}

  static async of(world: World, tenant: Tenant): Promise<Callers> {
    const [partner, own] = [
      await partnerAdministrator(world, tenant.partnerId),
      await partnerAdministrator(world, tenant.partnerId),
    ];
    return new Callers(world, tenant, partner, own);
  }

  /** The credential of a caller, or null for none: `able` is of a scope that may call. */
  async tokenFor(route: Route, caller: CallerName): Promise<string | null> {
    if (caller === 'nobody' || route.kind === 'public') return null;
    if (caller === 'forger') return 'a.forged.token';
    if (caller === 'able' && ['agent', 'setup'].includes(route.kind)) return this.carriedToken(route);
    if (route.path.includes('/auth/')) return this.ownToken();
    const mayAdmin = route.levels === undefined || route.levels.includes('system');
    return (mayAdmin === (caller === 'able') ? this.world.admin : this.partner).accessToken;
  }

  /** The token of a device, or of a visit that nothing has ended yet. */
  private async carriedToken({ kind }: Route): Promise<string> {
    if (kind === 'agent') return this.tenant.agentToken;
    const { status } = await this.partner.as(this.visit).call('GET', '/sso/setup');
    if (status !== 200) this.visit = await visitOf(this.partner, { orgId: this.tenant.orgId });
    return this.visit;
  }

  /** A user whose own session, password and factors the requests may change. */
  private async ownToken(): Promise<string | null> {
    if (!(await isLiving(this.own))) this.own = await partnerAdministrator(this.world, this.tenant.partnerId);
    return this.own.accessToken;
  }
}
