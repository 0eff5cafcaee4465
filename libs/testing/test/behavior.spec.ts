import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

describe('the rules of behaviour', () => {
  it('have each a number of their own', () => {
    const ids = rules.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('have each a test that proves them', () => {
    const faults = rules.flatMap(({ id, proofs }) => {
      if (proofs.length === 0) return [`${id}: no test is named`];
      return proofs.flatMap(({ file, words }) => faultOf(file, words) ?? []).map((fault) => `${id}: ${fault}`);
    });
    expect(faults).toEqual([]);
  });

  it('are there for each number that code or a test cites', () => {
    const known = new Set(rules.map(({ id }) => id));
    const cited = [...texts].flatMap(([path, text]) => (text.match(CITATION) ?? []).map((id) => `${id} in ${path}`));
    expect(cited.filter((citation) => !known.has(citation.split(' ')[0] ?? ''))).toEqual([]);
  });
});

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const PAGES = join(REPOSITORY, 'docs/behavior');
const PREFIXES = 'SSO|IDY|PAM|TEN|AUD|R';
const CITATION = new RegExp(`(?<![\\w-])(?:${PREFIXES})-\\d\\d\\d?(?!\\d)`, 'g');
const ROW = new RegExp(`^\\| ((?:${PREFIXES})-\\d\\d\\d?) \\|(.*)\\|$`, 'gm');
const PROOF = /`([^`]+)` "([^"]+)"/g;

interface Rule {
  readonly id: string;
  readonly proofs: readonly { readonly file: string; readonly words: string }[];
}

const tracked = execFileSync('git', ['ls-files', 'apps', 'libs', 'tools', ':!tools/eslint-rules'], {
  cwd: REPOSITORY,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /\.(ts|mjs|yaml)$/.test(path));
const texts = new Map(tracked.map((path) => [path, readFileSync(join(REPOSITORY, path), 'utf8')]));

function rulesIn(page: string): Rule[] {
  const text = readFileSync(join(PAGES, page), 'utf8');
  return [...text.matchAll(ROW)].map(([, id = '', cells = '']) => ({
    id,
    proofs: [...(cells.split('|').at(-1) ?? '').matchAll(PROOF)].map(([, file = '', words = '']) => ({ file, words })),
  }));
}

/** Why a proof does not hold, or null. */
function faultOf(file: string, words: string): string | null {
  const found = [...texts].filter(([path]) => path === file || path.endsWith(`/${file}`));
  if (found.length !== 1) return `${found.length} files end in ${file}`;
  return found[0]?.[1].includes(words) ? null : `${file} has no test "${words}"`;
}

const rules = readdirSync(PAGES)
  .filter((name) => name !== 'README.md')
  .flatMap(rulesIn);
