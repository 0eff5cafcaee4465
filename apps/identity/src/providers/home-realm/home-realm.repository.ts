import type { SsoProtocol } from '@gatehouse/contracts-identity';
import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

export interface EntryProvider {
  readonly id: string;
  readonly name: string;
  readonly type: SsoProtocol;
  readonly orgId: string | null;
  readonly partnerId: string;
  /** True when any active provider of the owner enforces, not only this one. */
  readonly enforced: boolean;
}

export interface LoginPage {
  readonly logoUrl: string | null;
  readonly accentColor: string | null;
  readonly headline: string | null;
  readonly hasBranding: boolean;
  readonly provider: EntryProvider | null;
}

const OPEN_ORG = `EXISTS (SELECT FROM org_ref o JOIN partner_ref t ON t.partner_id = o.partner_id
                           WHERE o.org_id = p.org_id AND NOT o.deleted AND NOT t.deleted
                             AND o.status NOT IN ('archived', 'merging', 'purging'))`;
const ENFORCED = `EXISTS (SELECT FROM sso_providers e WHERE e.partner_id = p.partner_id AND e.org_id IS NOT DISTINCT
  FROM p.org_id AND e.status = 'active' AND e.enforce_sso)`;
const OLDEST = `ORDER BY p.created_at, p.id LIMIT 1`;

const OF_ORG = `SELECT p.id, p.name, p.type, p.org_id, p.partner_id, ${ENFORCED} AS enforced FROM sso_providers p
  WHERE p.org_id = $1 AND p.status = 'active' AND ${OPEN_ORG} ${OLDEST}`;

/** Rules 1 to 5 in one statement, which is the same for every address: it reads the domain and no user. */
const OF_DOMAIN = `
  WITH owners AS (
    SELECT d.org_id FROM sso_domains d JOIN org_ref o ON o.org_id = d.org_id AND NOT o.deleted
      JOIN partner_ref t ON t.partner_id = o.partner_id AND NOT t.deleted
     WHERE d.domain = $1 AND d.verified_at IS NOT NULL LIMIT 2)
  SELECT p.id, p.name, p.type, p.org_id, p.partner_id, ${ENFORCED} AS enforced
    FROM owners JOIN sso_providers p ON p.org_id = owners.org_id
   WHERE (SELECT count(*) FROM owners) = 1 AND p.status = 'active' AND ${OPEN_ORG} ${OLDEST}`;

const LOGIN_PAGE = `
  SELECT b.logo_url, b.accent_color, b.headline, b.partner_id IS NOT NULL AS has_branding,
         (SELECT jsonb_build_object('id', p.id, 'name', p.name, 'type', p.type, 'orgId', NULL, 'partnerId',
           p.partner_id, 'enforced', ${ENFORCED})
            FROM sso_providers p WHERE p.owner_partner_id = t.partner_id AND p.status = 'active' ${OLDEST}) AS provider
    FROM partner_ref t LEFT JOIN login_branding b ON b.partner_id = t.partner_id
   WHERE NOT t.deleted AND (SELECT count(*) FROM partner_ref WHERE NOT deleted) = 1`;

/** Reads what the login page may show before sign-in. */
@Injectable()
export class HomeRealmRepository {
  ofOrganization(reader: Reader, orgId: string): Promise<EntryProvider | null> {
    return reader.one<EntryProvider>(OF_ORG, [orgId]);
  }

  ofDomain(reader: Reader, domain: string): Promise<EntryProvider | null> {
    return reader.one<EntryProvider>(OF_DOMAIN, [domain]);
  }

  /** @returns null unless the deployment has exactly one partner */
  loginPage(reader: Reader): Promise<LoginPage | null> {
    return reader.one<LoginPage>(LOGIN_PAGE);
  }
}
