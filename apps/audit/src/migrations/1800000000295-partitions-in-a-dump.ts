import type { MigrationInterface, QueryRunner } from 'typeorm';

const POLICY = `
    EXECUTE format('CREATE POLICY entries_in_a_dump ON %s FOR SELECT USING ((SELECT app_is_system()))', target);`;

const closePartition = (policy: string): string => `
  CREATE OR REPLACE FUNCTION close_partition(target regclass) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE grantee regrole;
  BEGIN
    PERFORM make_append_only(target);
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    ${policy}
    FOR grantee IN SELECT DISTINCT a.grantee::regrole FROM pg_class c, aclexplode(c.relacl) a
                    WHERE c.oid = target AND a.grantee <> c.relowner LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %s', target, grantee);
    END LOOP;
  END $$;`;

const toEachPartition = (statement: string): string => `
  DO $$ DECLARE target regclass; BEGIN
    FOR target IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'audit_entries'::regclass LOOP
      ${statement}
    END LOOP;
  END $$;`;

/** A backup by the owner reads each partition by itself: without a policy it would find no rows there. */
export class PartitionsInADump1800000000295 implements MigrationInterface {
  name = 'PartitionsInADump1800000000295';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(closePartition(POLICY) + toEachPartition(POLICY));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      closePartition('') + toEachPartition(`EXECUTE format('DROP POLICY entries_in_a_dump ON %s', target);`),
    );
  }
}
