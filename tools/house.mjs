import { fileURLToPath } from 'node:url';
import { filesWithOneReader, sources, textOf, tracked } from './structure.mjs';

// Counts the size of the repository, and how many files one fact is spread over. A test holds each number below its
// ceiling, so that nothing grows back.

const CODE = ['*.ts', '*.tsx', '*.mjs', '*.mts'];
const TEST = /spec\.tsx?$|\/test\/|^libs\/testing\/|^apps\/console-e2e\//;
const lines = (paths) => paths.reduce((sum, path) => sum + textOf(path).split('\n').length - 1, 0);
const words = (paths) => paths.reduce((sum, path) => sum + textOf(path).split(/\s+/).length, 0);
/** The files that name a member of a record, except this one. */
const naming = (paths, word) =>
  paths.filter((path) => path !== 'tools/house.mjs' && new RegExp(`\\b${word}\\b`).test(textOf(path))).length;
const foldersOf = (app) =>
  new Set(sources().flatMap((path) => new RegExp(`^apps/${app}/src/[^/]+(?=/)`).exec(path) ?? [])).size;

/** The lines of a test file before its first test. */
const preamble = (path) =>
  textOf(path)
    .split('\n')
    .findIndex((line) => /^\s*(it|test)(\.each)?\b/.test(line));
const mean = (numbers) => Math.round(numbers.reduce((sum, number) => sum + number, 0) / numbers.length);

/** What is counted, the goal, and the ceiling that a test enforces, which rises only with a feature, in its commit. */
export const ROWS = [
  ['source files', 1100, 1_399, ({ source }) => source.length],
  ['source files of less than 30 lines', 100, 116, ({ source }) => source.filter((path) => lines([path]) < 30).length],
  ['lines of source', 101_000, 136_490, ({ source }) => lines(source)],
  ['lines of tests', 54_000, 80_240, ({ tests }) => lines(tests)],
  [
    'lines before the first test of a file, on average',
    15,
    18,
    ({ tests }) => mean(tests.map(preamble).filter((line) => line > 0)),
  ],
  ['lines of OpenAPI documents and examples', 22_000, 20_055, () => lines(tracked('*openapi.json', '*examples.json'))],
  ['words of prose', 45_000, 88_851, () => words(tracked('*.md'))],
  ['folders below the source of identity', 12, 12, () => foldersOf('identity')],
  ['folders below the source of pam', 12, 8, () => foldersOf('pam')],
  ['folders below the source of tenancy', 12, 12, () => foldersOf('tenancy')],
  ['files of less than 40 lines with one reader', 60, 60, () => filesWithOneReader(40).length],
  ['source files that name `mobile`', 7, 7, ({ source }) => naming(source, 'mobile')],
  ['source files that name `matchParentImage`', 8, 6, ({ source }) => naming(source, 'matchParentImage')],
  [
    'methods called `execute` in services',
    0,
    0,
    ({ source }) =>
      source.filter((path) => /^apps\//.test(path) && /^\s+(async )?execute\(/m.test(textOf(path))).length,
  ],
];

/** @returns {{ name: string, count: number, goal: number, ceiling: number }[]} */
export function count() {
  const all = tracked(...CODE).filter((path) => /^(apps|libs|tools)\//.test(path));
  const paths = { source: all.filter((path) => !TEST.test(path)), tests: all.filter((path) => TEST.test(path)) };
  return ROWS.map(([name, goal, ceiling, measure]) => ({ name, count: measure(paths), goal, ceiling }));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, count: number, goal, ceiling } of count())
    process.stdout.write(`${name}: ${number} (goal ${goal}, ceiling ${ceiling})\n`);
