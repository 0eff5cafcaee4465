import { DATABASES } from '@gatehouse/contracts-core';
import { type RunningProduct, startProduct, withDatabase } from '@gatehouse/stack';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../../..');

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ DEMO: 'true' });
});
afterAll(() => product.stop(), 60_000);

it('walks the main journey: identity provider, agent, approval with a second factor, actuation, push, verified audit log', async () => {
  const outcome = await new Promise<{ code: number; output: string }>((resolve) => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      GATEHOUSE_STACK_DIRECTORY: product.directory,
      GATEHOUSE_URL: product.baseUrl,
    };
    execFile(process.execPath, [DEMO, '--url', product.baseUrl], { env, timeout: 110_000 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: `${stdout}\n${stderr}` }),
    );
  });
  expect(outcome).toMatchObject({ code: 0, output: expect.any(String) });
});

describe('the numbers that the services tell', () => {
  it('are those that are documented, and no others', async () => {
    const told = new Set(
      [...(await scrape()).matchAll(/^# TYPE (gatehouse_\w+) (\w+)/gm)].map(([, name, type]) => `${name} ${type}`),
    );
    expect([...told].sort()).toEqual([...documented].sort());
  });

  it('have moved in the journey, save those that tell of trouble, or of what it does not do', async () => {
    const text = await scrape();
    const hasMoved = (name: string): boolean => new RegExp(`^${name}(_count)?\\{[^}]*\\} [0-9.]*[1-9]`, 'm').test(text);
    const names = documented.map((line) => line.split(' ')[0] as string);
    const expected = names.filter((name) => !STILL.test(name) && !ELSEWHERE.test(name));
    expect(expected.filter((name) => !hasMoved(name))).toEqual([]);
    expect(text).toMatch(/gatehouse_pam_decisions_total\{outcome="approved",source="technician",service="pam"\} [1-9]/);
    expect(text).toMatch(/gatehouse_sign_ins_total\{method="sso",result="success",service="identity"\} [1-9]/);
  });

  it('name routes by their template and no person', async () => {
    const labels = [...(await scrape()).matchAll(/^gatehouse_\w+\{([^}]*)\}/gm)].map(([, found]) => found);
    expect(labels.filter((found) => /[0-9a-f]{8}-[0-9a-f]{4}-|@|\?|%/.test(found as string))).toEqual([]);
  });

  it('say so when a limit refuses', async () => {
    const attempt = () =>
      fetch(`${product.baseUrl}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.test', password: 'not the password' }),
      });
    for (let count = 0; (await attempt()).status !== 429;) if (++count > 20) throw new Error('no limit refused');
    expect(await scrape()).toMatch(
      /gatehouse_rate_limit_refusals_total\{limit="sign-in-account",service="identity"\} 1/,
    );
  });

  const documented = [
    ...readFileSync(join(REPOSITORY, 'deploy/observability/README.md'), 'utf8').matchAll(
      /^\| `(gatehouse_\w+)` \| (\w+)/gm,
    ),
  ].map(([, name, type]) => `${name} ${type}`);
  /** Metrics that must not change while everything works. */
  const STILL =
    /outbox_(depth|age)|pending|unacknowledged|failures|redeliveries|dead_letters|pool_waiting|rate_limit|egress_under_way|unsigned_age|saml_certificate|clock|turns_waited|contradicted|waiting_agents/;
  /** Metrics of what the journey does not do; the suites of these parts look at them. */
  const ELSEWHERE = /freeze|held|shadow_hits|lint_findings|replay_seconds|escalations|sso_refusals/;

  const scrape = async (): Promise<string> => {
    const pages = Object.values(product.endpoints.services).map(async ({ adminUrl }) =>
      (await fetch(`${adminUrl}/metrics`)).text(),
    );
    return (await Promise.all(pages)).join('\n');
  };
});

describe.each(DATABASES)('the database of %s', (database) => {
  let owner: pg.Client;
  let runtime: pg.Client;
  let tables: TenantTable[];

  beforeAll(async () => {
    const { databases, backing } = product.endpoints;
    const appUrl = databases[database]?.app ?? '';
    owner = new pg.Client({ connectionString: withDatabase(backing.postgres, new URL(appUrl).pathname.slice(1)) });
    runtime = new pg.Client({ connectionString: appUrl });
    await Promise.all([owner.connect(), runtime.connect()]);
    tables = (await owner.query<TenantTable>(TENANT_TABLES)).rows;
  });
  afterAll(() => Promise.all([owner.end(), runtime.end()]));

  it('is served by a role that owns no table, is no superuser and cannot pass row security', async () => {
    const { rows } = await runtime.query(
      'SELECT rolsuper, rolbypassrls, current_user AS name FROM pg_roles WHERE rolname = current_user',
    );
    expect(rows[0]).toMatchObject({ rolsuper: false, rolbypassrls: false });
    expect(tables.length).toBeGreaterThan(0);
    expect(tables.map((table) => table.owner)).not.toContain(rows[0].name);
  });

  it('shows the runtime role no row without a tenant context, also after a context was used and committed', async () => {
    await runtime.query(
      `BEGIN; SELECT set_config('app.system', 'on', true), set_config('app.org_ids', '*', true); COMMIT`,
    );
    for (const { name } of tables) {
      const rows = await runtime.query(`SELECT 1 FROM ${pg.escapeIdentifier(name)} LIMIT 1`).then(
        (result) => result.rows,
        (error: { code: string }) => error.code,
      );
      expect([[], '42501']).toContainEqual(rows);
    }
  });
});

const DEMO = join(REPOSITORY, 'tools/demo/dist/main.js');

/** Every table, partitions included, that has a column naming a tenant. */
const TENANT_TABLES = `
  SELECT c.relname AS name, pg_get_userbyid(c.relowner) AS owner
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
     AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('partner_id', 'org_id')
       AND NOT a.attisdropped)
   ORDER BY c.relname`;

interface TenantTable {
  readonly name: string;
  readonly owner: string;
}
