import type { OrganizationFigures, OrganizationFiguresQuestion, PeopleFigures } from '@gatehouse/contracts-tenancy';
import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

const COUNT = `
  SELECT asked.org_id,
         (SELECT count(*) FROM memberships m
           WHERE m.partner_id = asked.partner_id AND m.org_id = asked.org_id AND m.level = 'organization') AS people,
         coalesce((SELECT CASE WHEN bool_or(p.status = 'active' AND p.enforce_sso) THEN 'enforced'
                               WHEN bool_or(p.status = 'active') THEN 'active'
                               WHEN count(*) > 0 THEN 'configured' END
                     FROM sso_providers p WHERE p.org_id = asked.org_id), 'none') AS sso
    FROM unnest($1::uuid[], $2::uuid[]) AS asked(org_id, partner_id)`;

@Injectable()
export class OrganizationFiguresRepository {
  count(
    reader: Reader,
    { organizations }: OrganizationFiguresQuestion,
  ): Promise<OrganizationFigures<PeopleFigures>['figures'][number][]> {
    return reader.query(COUNT, [
      organizations.map(({ orgId }) => orgId),
      organizations.map(({ partnerId }) => partnerId),
    ]);
  }
}
