import { describe, it } from '@jest/globals';
import { RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import plugin from './index.mjs';

RuleTester.describe = describe;
RuleTester.it = it;

const { rules } = plugin;
const tester = new RuleTester({ languageOptions: { parser: tseslint.parser } });
const failing = (messageId: string, ...sources: string[]) => sources.map((code) => ({ code, errors: [{ messageId }] }));

tester.run('route-declares-access', rules['route-declares-access'], {
  valid: [
    `class A { @Get() @Public() list() {} }`,
    `class A { @Post('x') @Requires('devices:read', { mfa: true }) create() {} }`,
    `@Internal() class A { @Get() list() {} }`,
    `class A { @AgentRoute() @Post() report() {} notARoute() {} @Cron() sweep() {} }`,
  ],
  invalid: failing(
    'undeclared',
    `class A { @Get() list() {} }`,
    `class A { @ApiTags('x') @Delete(':id') remove() {} }`,
    `@Controller('x') class A { @All() any() {} }`,
  ),
});

const inRepository = (code: string) => ({ code, filename: 'rules.repository.ts' });
tester.run('repository-takes-scope', rules['repository-takes-scope'], {
  valid: [
    inRepository(
      `class R { constructor(db: Db) {} list(scope: TenantScope, filter: F) {} insert(tx: Tx, draft: D) {} }`,
    ),
    inRepository(`class R { find(id: Id, reader: Reader) {} mine(caller: UserCaller | AgentCaller) {} }`),
    inRepository(`class R { private row(x: string) {} #map(x: string) {} protected y() {} close() {} }`),
    { code: `class R { list(filter: F) {} }`, filename: 'list-rules.ts' },
  ],
  invalid: [
    `class R { list(filter: F) {} }`,
    `class R { all() {} }`,
    `class R { find(a: A, b: B, scope: TenantScope) {} }`,
    `class R { find(scope: TenantScope | undefined) {} }`,
  ].map((code) => ({ ...inRepository(code), errors: [{ messageId: 'scopeless' }] })),
});

tester.run('no-process-env', rules['no-process-env'], {
  valid: [`process.exit(1)`, `const env = config.env`, `import { argv } from 'node:process'`],
  invalid: failing(
    'ambient',
    `process.env.PORT`,
    `process['env']['PORT']`,
    `const { env } = process`,
    `import { env } from 'node:process'`,
  ),
});

tester.run('citations-resolve', rules['citations-resolve'], {
  valid: [
    `// PAM-31, SSO-12 to SSO-14 and R-41\nx()`,
    `/** PAM-01: the first decision wins. RFC 7636 4.2. */ x()`,
    `// SHA-256 under AES-256-GCM, ISO-8601, UTF-8, P-256, colour &#39; or #aabbcc, see RFC 8176`,
    `const ticket = 'JIRA-1 #123'`,
  ],
  invalid: [
    ...failing('ticket', `// see #123`, `// issue 12 says so`, `// JIRA-1`, `/* closes OPS-4711 */`, `// Issue #7`),
    ...failing('unknown', `// PAM-999`, `/* see SSO-00 */`),
    ...failing('spec', `// SSO spec 4.2`, `// see pam spec, "Respond"`, `// Tenancy specification "Contact"`),
    ...failing('rfc', `// RFC7636`, `// RFC-7636`, `// RFC 7636 section 4.2`, `// RFC 7636, §4.2`),
  ],
});

const named = (filename: string, code: string) => ({ code, filename });
tester.run('sql-in-repositories', rules['sql-in-repositories'], {
  valid: [
    named('rules.repository.ts', 'tx.query(`SELECT id FROM pam_rules`)'),
    named('src/migrations/1-first.ts', "query('DELETE FROM a')"),
    named('page.ts', "const text = 'Select a rule'"),
  ],
  invalid: [
    'tx.query(`SELECT id FROM pam_rules WHERE id = ${id}`)',
    "tx.query('INSERT INTO a (b) VALUES ($1)')",
    'const SQL = `UPDATE users SET name = $1`',
    'const SQL = `WITH gone AS (DELETE FROM a RETURNING id) SELECT id FROM gone`',
  ].map((code) => ({ ...named('list-rules.ts', code), errors: [{ messageId: 'misplaced' }] })),
});

tester.run('disable-gives-reason', rules['disable-gives-reason'], {
  valid: [`x() // eslint-disable-line no-undef -- the runtime defines x`, `// about eslint-disable comments`],
  invalid: failing('silent', `/* eslint-disable-next-line */\nx()`, `/* eslint-disable no-console */`),
});
