import type { MigrationInterface, QueryRunner } from 'typeorm';

// An older link does not record which organisation stored it, so it counts only within its own organisation.
const UP = `
  ALTER TABLE device_sources DROP CONSTRAINT device_sources_pkey, ADD PRIMARY KEY (org_id, source_system, source_device_id);
  ALTER TABLE device_sources ADD COLUMN partner_wide boolean NOT NULL DEFAULT false;
  CREATE INDEX device_sources_of_partner ON device_sources (partner_id, source_system, source_device_id);

  -- In a merge the survivor's own link wins; without this the moved device would violate the key.
  CREATE FUNCTION drop_taken_sources() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM device_sources s WHERE s.device_id = OLD.id AND s.org_id = OLD.org_id AND EXISTS (
        SELECT FROM device_sources o WHERE o.org_id = NEW.org_id AND o.source_system = s.source_system AND o.source_device_id = s.source_device_id);
      RETURN NEW;
    END $$;
  CREATE TRIGGER devices_leave_taken_sources BEFORE UPDATE OF org_id ON devices
    FOR EACH ROW WHEN (OLD.org_id IS DISTINCT FROM NEW.org_id) EXECUTE FUNCTION drop_taken_sources();`;

// If several organisations have a link with the same source id, the oldest stays.
const DOWN = `
  SELECT set_config('app.system', 'on', true);
  DROP TRIGGER devices_leave_taken_sources ON devices;
  DROP FUNCTION drop_taken_sources;
  DELETE FROM device_sources s USING device_sources o
   WHERE o.partner_id = s.partner_id AND o.source_system = s.source_system AND o.source_device_id = s.source_device_id
     AND (o.created_at, o.org_id) < (s.created_at, s.org_id);
  DROP INDEX device_sources_of_partner;
  ALTER TABLE device_sources DROP COLUMN partner_wide;
  ALTER TABLE device_sources DROP CONSTRAINT device_sources_pkey, ADD PRIMARY KEY (partner_id, source_system, source_device_id);`;

/** The id that another system gave a device is valid only within the organisation whose import recorded it. */
export class SourceIdsOfOrganizations1800000001041 implements MigrationInterface {
  name = 'SourceIdsOfOrganizations1800000001041';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
