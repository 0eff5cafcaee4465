import { SYSTEM_ROLES } from '@gatehouse/contracts-core';
import { PrincipalsChanged } from '@gatehouse/contracts-identity';
import { OrganizationChanged } from '@gatehouse/contracts-tenancy';
import { afterAll, describe, expect, it } from '@jest/globals';
import { IdentityHarness } from './identity.harness.ts';

const identity = await IdentityHarness.start();
afterAll(() => identity.stop());

describe('an organisation of many people', () => {
  it('is suspended with all of them, in facts that the broker takes', async () => {
    const partnerId = await identity.partner();
    const orgId = await identity.org(partnerId);
    await identity.service.sql(
      `
      WITH people AS (INSERT INTO users (id, email, name, status)
        SELECT gen_random_uuid(), n || '@example.test', 'Person', 'active' FROM generate_series(1, $1::int) n
        RETURNING id)
      INSERT INTO memberships (id, user_id, level, partner_id, org_id, role_id)
        SELECT gen_random_uuid(), id, 'organization', $2, $3, $4 FROM people`,
      [PEOPLE, partnerId, orgId, ORG_VIEWER],
    );
    await identity.service.deliver(OrganizationChanged, {
      orgId,
      partnerId,
      name: 'Large',
      status: 'suspended',
      deleted: false,
      mergedIntoId: null,
      version: 2,
    });
    const facts = await identity.service.emitted(PrincipalsChanged);
    expect(new Set(facts.flatMap(({ data }) => data.userIds)).size).toBe(PEOPLE);
    expect(
      await identity.service.sql('SELECT id FROM outbox WHERE octet_length(envelope::text) > $1', [MAX_BYTES]),
    ).toEqual([]);
  });
});

const ORG_VIEWER = SYSTEM_ROLES.find(({ name }) => name === 'Organization Viewer')?.id;
const PEOPLE = 30_000;
/** Bytes that the broker takes in one message. */
const MAX_BYTES = 1_000_000;
