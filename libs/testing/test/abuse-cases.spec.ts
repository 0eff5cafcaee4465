import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

describe('the abuse cases', () => {
  it('are each named by a test, and no test names one that is not listed', () => {
    const listed = casesIn(readFileSync(join(REPOSITORY, 'docs/abuse-cases.md'), 'utf8').replace(/^#.*?\n\|/s, '|'));
    const tested = casesIn([...textsOf('apps'), ...textsOf('libs'), ...textsOf('tools')].join('\n'));
    expect([...listed].filter((id) => !tested.has(id))).toEqual([]);
    expect([...tested].filter((id) => !listed.has(id))).toEqual([]);
    expect(listed.size).toBeGreaterThanOrEqual(390);
  });
});

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const AREAS = 'AUTH|CAP|CERT|ENTRA|FLOW|LINK|OIDC|RED|SAML|SETUP|SSRF|STAGE|TOK|TRACE|TRIAL|WIDE|XCH';
const CASE = new RegExp(`\\b(?:(?:${AREAS})-\\d\\d|ATK-\\d{2,3}[a-z]?)\\b`, 'g');
const TEST = /^(?!.*(?:node_modules|dist)\/).*spec\.ts$/;
const COMMENT = /^\s*(?:\/\/|\/?\*).*$/gm;

const casesIn = (text: string): Set<string> => new Set(text.match(CASE));
const textsOf = (folder: string): string[] =>
  readdirSync(join(REPOSITORY, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => TEST.test(path))
    .map((path) => readFileSync(join(REPOSITORY, folder, path), 'utf8').replace(COMMENT, ''));
