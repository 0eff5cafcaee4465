import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SOURCE = resolve(import.meta.dirname, '../src');

const screens = readdirSync(join(SOURCE, 'features'), { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.includes('/screens/') && path.endsWith('.tsx') && !path.includes('.spec.'),
);

describe('the words of a screen', () => {
  it.each(screens)('%s loads the words that it shows', (screen) => {
    const files = reached(join(SOURCE, 'features', screen));
    const loaded = [...FIRST, ...wordsOf(files)];
    expect(usedBy(files).filter((name) => !loaded.includes(name))).toEqual([]);
  });

  it('finds the screens', () => expect(screens.length).toBeGreaterThan(30));
});

const FIRST = ['problems', 'shell', 'ui'];
const IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** The files that the file loads, at once or later, itself included. */
function reached(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file) || file.endsWith('.css')) return found;
  found.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) reached(join(dirname(file), path), found);
  return found;
}

/** The first members of the words that the files show. */
const usedBy = (files: Iterable<string>): string[] =>
  [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/useTranslations\('(\w+)/g)].map(([, name = '']) => name),
  );

const wordsOf = (files: Iterable<string>): string[] =>
  [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/addWords\(\{([^}]*)\}/g)].flatMap(([, members = '']) =>
      members.split(',').map((member) => member.split(':')[0]?.trim() ?? ''),
    ),
  );
