import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiDocument } from '../src/docs/api-document.ts';

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the OpenAPI document', () => {
  it('keeps the recommended rules of Redocly, without warnings', async () => {
    const path = join(folder, 'openapi.json');
    writeFileSync(path, JSON.stringify(apiDocument()));
    const { problems } = await lint(path);
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
    ).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-redocly-'));

const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
const config = fileURLToPath(new URL('./redocly.yaml', import.meta.url));
const SILENT = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

interface Report {
  readonly problems: readonly {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer?: string }[];
  }[];
}

/** The linter exits with 1 when it finds errors; its report is read all the same. */
const lint = (path: string): Promise<Report> =>
  new Promise((resolve, reject) => {
    const args = ['lint', path, '--config', config, '--format', 'json', '--max-problems', '1000'];
    const options = { env: { ...process.env, ...SILENT }, maxBuffer: 64 * 1024 * 1024 };
    execFile(process.execPath, [join(dirname(manifest), 'bin/cli.js'), ...args], options, (error, stdout) => {
      if (stdout === '') reject(error ?? new Error('the linter wrote no report'));
      else resolve(JSON.parse(stdout) as Report);
    });
  });
