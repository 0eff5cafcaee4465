import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

describe('the plan of a merge', () => {
  it('has a word for each table', () => {
    const { tables } = JSON.parse(readFileSync(WORDS, 'utf8')) as { tables: object };
    const planned = registries.flatMap((path) =>
      [...readFileSync(join(APPS, path), 'utf8').matchAll(PLANNED)].map(([, table]) => table),
    );
    expect(planned.length).toBeGreaterThan(30);
    expect(Object.keys(tables).toSorted()).toEqual(planned.toSorted());
  });
});

const APPS = resolve(import.meta.dirname, '../..');
const WORDS = resolve(import.meta.dirname, '../src/words/en/organizations.json');
/** Rows that follow others stand in no plan. */
const PLANNED = /table: '(\w+)',\s*policy: '(?:move|drop)'/g;

const registries = readdirSync(APPS)
  .filter((app) => app !== 'console')
  .flatMap((app) => readdirSync(join(APPS, app), { recursive: true, encoding: 'utf8' }).map((path) => join(app, path)))
  .filter((path) => path.includes('/src/') && /-tenant-data(\.repository)?\.ts$/.test(path));
