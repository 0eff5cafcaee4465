import type { Reader } from '@gatehouse/database';
import { foldAscii } from '@gatehouse/identity-domain';
import { Injectable } from '@nestjs/common';

const SPELLED = `
  SELECT external_id FROM sso_identity_links
   WHERE provider_id = $1 AND (external_id IN ($2, $3) OR earlier_email_subject = $3)`;

/** Finds the subjects under which a provider's users are linked. */
@Injectable()
export class LinkedSubjectsRepository {
  /** Returns the linked subjects that equal the address when letter case is ignored. */
  async spelled(reader: Reader, providerId: string, address: string): Promise<string[]> {
    const rows = await reader.query<{ externalId: string }>(SPELLED, [providerId, address, foldAscii(address)]);
    return rows.map(({ externalId }) => externalId);
  }
}
