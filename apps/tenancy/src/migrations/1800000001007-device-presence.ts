import { tenantPolicy } from '@gatehouse/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PRESENCE = `
  -- When an agent was last seen after its enrolment (which devices.last_seen_at holds). In a table of its own, so that it
  -- makes no new version of the device and does not wait for changes of the device.
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
