import type { Reader } from '@gatehouse/database';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many ignored prompts of a day a shadow rule matches. */
@Entity('pam_shadow_ignored')
export class ShadowIgnoredEntity {
  @PrimaryColumn('uuid') ruleId!: string;
  @PrimaryColumn('date') day!: string;
  @Column('uuid') partnerId!: string;
  @Column('uuid') orgId!: string;
  @Column('bigint') hits!: number;
}

/** Hits of one shadow rule among ignored prompts. */
export interface IgnoredHits {
  readonly ruleId: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly hits: number;
}

// In one order, so that two instances that count the same rules wait for each other instead of locking each other out.
const ADD = `
  INSERT INTO pam_shadow_ignored AS s (rule_id, day, partner_id, org_id, hits)
  SELECT i."ruleId", (now() AT TIME ZONE 'UTC')::date, i."partnerId", i."orgId", i.hits
    FROM jsonb_to_recordset($1) AS i("ruleId" uuid, "partnerId" uuid, "orgId" uuid, hits bigint) ORDER BY i."ruleId"
  ON CONFLICT (rule_id, day) DO UPDATE SET hits = s.hits + EXCLUDED.hits`;

/** Adds to today's counts. */
export const addIgnoredHits = async (reader: Reader, counted: readonly IgnoredHits[]): Promise<void> => {
  await reader.query(ADD, [JSON.stringify(counted)]);
};
