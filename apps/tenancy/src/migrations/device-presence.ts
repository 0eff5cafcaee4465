import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PRESENCE = `
  -- When an agent last showed itself after its enrolment (which devices.last_seen_at holds). Apart from the device, so that
  -- a sign of life makes no new version of it and waits for nobody who changes it.
  CREATE TABLE device_presence (
    device_id uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    org_id uuid NOT NULL,
    last_seen_at timestamptz NOT NULL,
    CONSTRAINT presence_device_in_organization FOREIGN KEY (device_id, org_id) REFERENCES devices (id, org_id) ON UPDATE CASCADE ON DELETE CASCADE
  ) WITH (fillfactor = 50);
  CREATE INDEX device_presence_of_organization ON device_presence (org_id);
  ${tenantPolicy({ table: 'device_presence', orgColumn: 'org_id', large: true })}`;

export class DevicePresence1800000001007 implements MigrationInterface {
  name = 'DevicePresence1800000001007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PRESENCE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE device_presence');
  }
}
