import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

describe('documents', () => {
  it('name files and link to pages that exist', () => {
    const missing = documents.flatMap((document) => {
      const text = readFileSync(join(REPOSITORY, document), 'utf8');
      const links = [...text.matchAll(LINK)].map(([, link = '']) => join(dirname(document), link));
      const paths = [...text.matchAll(PATH)].map(([, path = '']) => path);
      const targets = [...links, ...paths].filter((target) => !existsSync(join(REPOSITORY, target)));
      return targets.map((target) => `${document}: ${target}`);
    });
    expect(missing).toEqual([]);
  });
});

const REPOSITORY = join(import.meta.dirname, '../../..');
/** A file of the repository, written as code. */
const PATH = /`((?:apps|libs|tools|deploy|docs)\/[\w./@-]+\.(?:ts|mjs|md|yaml|json))`/g;
const LINK = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g;

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: REPOSITORY, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(REPOSITORY, path)));
