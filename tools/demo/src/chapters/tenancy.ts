import { text, type ProductClient } from '../product-client.ts';
import type { Tenant, Tour } from '../journey.ts';

export async function tenancy({ journey, product, run }: Tour, admin: ProductClient): Promise<Tenant> {
  journey.chapter('A partner and its customer');
  await journey.step('without a token nothing is shown', 401, () => product.get('/orgs/partners'), { shows: ['code'] });
  const partner = await journey.step(
    'create a partner',
    201,
    () => admin.post('/orgs/partners', { name: `Demo partner ${run}`, slug: `demo-partner-${run}` }),
    { shows: ['id', 'status'], holds: (body) => body['status'] === 'active' },
  );
  const partnerId = text(partner.body, 'id');
  const organization = await journey.step(
    'create an organisation',
    201,
    () => admin.post('/orgs/organizations', { partnerId, name: `Acme ${run}`, slug: `acme-${run}` }),
    { shows: ['id', 'status'] },
  );
  const orgId = text(organization.body, 'id');
  await journey.step(
    'its slug is taken now',
    409,
    () => admin.post('/orgs/organizations', { partnerId, name: 'Another', slug: `acme-${run}` }),
    { shows: ['code'] },
  );
  const site = await journey.step(
    'create a site',
    201,
    () => admin.post('/orgs/sites', { orgId, name: 'Headquarters', timezone: 'Europe/Berlin' }),
    { shows: ['id', 'timezone'] },
  );
  return { partnerId, orgId, siteId: text(site.body, 'id') };
}
