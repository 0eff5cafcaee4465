import { describe, expect, it } from '@jest/globals';
import { Linter, RuleTester } from 'eslint';
import tseslint from 'typescript-eslint';
import { UNSAFE_SHAPES } from './console-config.mjs';
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

const inConsole = (path: string, source: string) => ({
  code: `import { x } from '${source}';`,
  filename: `/checkout/apps/console/src/${path}`,
});
tester.run('console-layers', rules['console-layers'], {
  valid: [
    inConsole('features/rules/screens/list.tsx', '../model.ts'),
    inConsole('features/rules/screens/list.tsx', '../../../ui/page.tsx'),
    inConsole('features/rules/routes.tsx', '../../shell/search.ts'),
    inConsole('features/rules/routes.tsx', '@mantine/core'),
    inConsole('features/index.ts', './rules/routes.tsx'),
    inConsole('ui/page.tsx', '../api/problem.ts'),
    inConsole('main.tsx', './features/index.ts'),
    {
      code: `const page = import('./screens/list.tsx');`,
      filename: '/checkout/apps/console/src/features/a/routes.tsx',
    },
  ],
  invalid: [
    ...[
      inConsole('ui/page.tsx', '../shell/shell.tsx'),
      inConsole('api/client.ts', '../ui/page.tsx'),
      inConsole('shell/shell.tsx', '../features/rules/routes.tsx'),
      { ...inConsole('words/index.ts', ''), code: `export * from '../api/client.ts';` },
    ].map((fault) => ({ ...fault, errors: [{ messageId: 'upwards' }] })),
    ...[
      inConsole('features/rules/model.ts', '../requests/model.ts'),
      { ...inConsole('features/rules/model.ts', ''), code: `const other = import('../requests/routes.tsx');` },
    ].map((fault) => ({ ...fault, errors: [{ messageId: 'feature' }] })),
  ],
});

describe('shapes that the console must not have', () => {
  it.each([
    `<p dangerouslySetInnerHTML={{ __html: x }} />`,
    `create('p', { dangerouslySetInnerHTML: x })`,
    `node.innerHTML = x`,
    `node['outerHTML'] = x`,
    `frame.srcdoc = x`,
    `node.insertAdjacentHTML('beforeend', x)`,
    `document.write(x)`,
    `document.cookie`,
    `<a href={x} target="_blank">x</a>`,
    `<a href={x} target="_blank" rel="noreferrer">x</a>`,
    `window.open(x, '_blank')`,
  ])('%s', (code) => {
    expect(faultsIn(code)).toBe(1);
  });

  it.each([
    `<a href={x} target="_blank" rel="noopener noreferrer">x</a>`,
    `<p>{x}</p>`,
    `node.textContent = x`,
    `window.open(x, '_blank', 'noopener')`,
  ])('but may have %s', (code) => {
    expect(faultsIn(code)).toBe(0);
  });

  const linter = new Linter();
  const faultsIn = (code: string): number =>
    linter.verify(
      code,
      {
        files: ['**/*.tsx'],
        languageOptions: { parser: tseslint.parser, parserOptions: { ecmaFeatures: { jsx: true } } },
        rules: { 'no-restricted-syntax': ['error', ...UNSAFE_SHAPES] },
      },
      { filename: 'a.tsx' },
    ).length;
});
