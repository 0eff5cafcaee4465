import { newId } from '@gatehouse/crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Tenancy } from './tenancy.harness.ts';

const tenancy = await Tenancy.start();
const [partner, stranger] = [await tenancy.partner(), await tenancy.partner()];
const [org, other] = [await tenancy.organization(partner.id), await tenancy.organization(stranger.id)];
const site = await tenancy.site(partner.id, org.id);
const { key } = await tenancy.enrollmentKey(partner.id, org.id, { siteId: site.id });
const own = {
  partnerId: partner.id,
  slug: partner.slug,
  orgId: org.id,
  orgSlug: org.slug,
  siteId: site.id,
  deviceId: (await tenancy.device(key)).deviceId,
};
const foreign = { partnerId: stranger.id, orgId: other.id, siteId: (await tenancy.site(stranger.id, other.id)).id };
afterAll(() => tenancy.stop());

/**
 * Statements that a careless program could send, as the superuser, whom row security does not hold back: the tables
 * themselves refuse.
 */
describe('storage refuses writes of every caller', () => {
  const CASES: readonly [what: string, constraint: string, sql: string, parameters: () => unknown[]][] = [
    [
      'a second partner of a slug',
      'partner_slug_unique',
      `INSERT INTO partners (id, name, slug) VALUES ($1, 'x', $2)`,
      () => [newId(), own.slug],
    ],
    [
      'a second organisation of a slug',
      'organization_slug_unique',
      `INSERT INTO organizations (id, partner_id, name, slug) VALUES ($1, $2, 'x', $3)`,
      () => [newId(), own.partnerId, own.orgSlug],
    ],
    [
      'a slug that is not fit for an address',
      'organization_slug_is_url_safe',
      `UPDATE organizations SET slug = 'Not Fit' WHERE id = $1`,
      () => [own.orgId],
    ],
    [
      'an unknown status',
      'organization_status_is_known',
      `UPDATE organizations SET status = 'gone' WHERE id = $1`,
      () => [own.orgId],
    ],
    [
      "a site of another partner's organisation",
      'site_in_organization_of_partner',
      `INSERT INTO sites (id, partner_id, org_id, name) VALUES ($1, $2, $3, 'x')`,
      () => [newId(), own.partnerId, foreign.orgId],
    ],
    [
      'a contact without an identifier',
      'contact_has_identifier',
      `INSERT INTO contacts (id, partner_id, org_id, name, email) VALUES ($1, $2, $3, ' ', '')`,
      () => [newId(), own.partnerId, own.orgId],
    ],
    [
      'a contact at a site of another organisation',
      'contact_site_in_organization',
      `INSERT INTO contacts (id, partner_id, org_id, site_id, name) VALUES ($1, $2, $3, $4, 'x')`,
      () => [newId(), own.partnerId, own.orgId, foreign.siteId],
    ],
    [
      'a second primary contact of an organisation',
      'contact_one_primary_per_scope',
      `INSERT INTO contacts (id, partner_id, org_id, name, is_primary) SELECT gen_random_uuid(), $1, $2, 'x', true
        FROM generate_series(1, 2)`,
      () => [own.partnerId, own.orgId],
    ],
    [
      'a second primary contact of a site',
      'contact_one_primary_per_scope',
      `INSERT INTO contacts (id, partner_id, org_id, site_id, name, is_primary)
        SELECT gen_random_uuid(), $1, $2, $3, 'x', true FROM generate_series(1, 2)`,
      () => [own.partnerId, own.orgId, own.siteId],
    ],
    [
      'a device at a site of another organisation',
      'device_site_in_organization',
      'UPDATE devices SET site_id = $2 WHERE id = $1',
      () => [own.deviceId, foreign.siteId],
    ],
    [
      'a device in an organisation of another partner',
      'device_in_organization_of_partner',
      'UPDATE devices SET partner_id = $2 WHERE id = $1',
      () => [own.deviceId, foreign.partnerId],
    ],
    [
      'an enrollment key for a site of another organisation',
      'enrollment_key_site_in_organization',
      `INSERT INTO enrollment_keys (id, partner_id, org_id, site_id, name, key) VALUES ($1, $2, $3, $4, 'x', 'x')`,
      () => [newId(), own.partnerId, own.orgId, foreign.siteId],
    ],
    [
      'more uses of an enrollment key than it has',
      'enrollment_key_within_max_usage',
      'UPDATE enrollment_keys SET max_usage = 1, usage_count = 2 WHERE org_id = $1',
      () => [own.orgId],
    ],
    [
      'a second default site',
      'organization_one_default_site',
      `INSERT INTO sites (id, partner_id, org_id, name, is_default) SELECT gen_random_uuid(), $1, $2, 'x', true
        FROM generate_series(1, 2)`,
      () => [own.partnerId, own.orgId],
    ],
    [
      'a definition with two owners',
      'custom_field_in_organization_of_partner',
      `INSERT INTO custom_fields (id, partner_id, org_id, name, field_key, type) VALUES ($1, $2, $3, 'x', 'x', 'text')`,
      () => [newId(), own.partnerId, foreign.orgId],
    ],
    [
      'a script with two owners',
      'script_in_organization_of_partner',
      `INSERT INTO scripts (id, partner_id, org_id, name, language, content) VALUES ($1, $2, $3, 'x', 'x', 'x')`,
      () => [newId(), own.partnerId, foreign.orgId],
    ],
    [
      'a policy with two owners',
      'configuration_policy_in_organization_of_partner',
      `INSERT INTO configuration_policies (id, partner_id, org_id, name) VALUES ($1, $2, $3, 'x')`,
      () => [newId(), own.partnerId, foreign.orgId],
    ],
    [
      'a second merge or purge of an organisation at once',
      'organization_one_run',
      `INSERT INTO organization_runs (id, partner_id, org_id, kind, step, participants, status_before, started_by)
        SELECT gen_random_uuid(), $1, $2, 'purge', 'purge', '{}', 'archived', '{}' FROM generate_series(1, 2)`,
      () => [own.partnerId, own.orgId],
    ],
    [
      'presence of a device in another organisation',
      'presence_device_in_organization',
      'INSERT INTO device_presence (device_id, partner_id, org_id, last_seen_at) VALUES ($1, $2, $3, now())',
      () => [own.deviceId, foreign.partnerId, foreign.orgId],
    ],
  ];

  it.each(CASES)('%s (%s)', async (_, constraint, sql, parameters) => {
    await expect(tenancy.service.sql(sql, parameters())).rejects.toThrow(constraint);
  });
});
