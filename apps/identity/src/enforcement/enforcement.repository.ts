import type { Reader } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';

@Injectable()
export class EnforcementRepository {
  /** Whether passwords are refused for this person (SSO spec, "Enforcement rules"), whatever the caller's tenant. */
  async isGoverned(reader: Reader, userId: string): Promise<boolean> {
    const row = await reader.one<{ governed: boolean }>('SELECT is_governed($1) AS governed', [userId]);
    return row?.governed ?? false;
  }
}
