import { crowdedFolders, foldersInCycles, textOf, tracked } from './structure.mjs';

// Prints the measures of docs/readability.md for the present tree.

const LIMIT = 120;
const COMMENT = /^\s*(\/\/|\/?\*)/;
const TEST = /spec\.tsx?$|\/test\/|^libs\/testing\/|^apps\/console-e2e\//;
const SQL_HOME = /\.(repository|sql)\.ts$|\/migrations\//;
const SQL = /[`'"]\s*(SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s)/;

const all = tracked('apps/*.ts', 'apps/*.tsx', 'libs/*.ts', 'tools/*.ts');
const linesOf = (paths) => paths.flatMap((path) => textOf(path).split('\n'));
const codeOf = (lines) => lines.filter((line) => line.trim() !== '' && !COMMENT.test(line));
const percent = (part, whole) => `${((100 * part) / whole).toFixed(2)} %`;
const mean = (numbers) => (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(1);

function measure(name, paths) {
  const lines = linesOf(paths);
  const code = codeOf(lines);
  const long = lines.filter((line) => line.length > LIMIT).length;
  return [
    [`${name}: lines beyond ${LIMIT} columns`, percent(long, lines.length)],
    [`${name}: characters in a code line`, mean(code.map((line) => line.trim().length))],
    [`${name}: tokens in a code line`, mean(code.map((line) => (line.match(/\w+|[^\s\w]+/g) ?? []).length))],
  ];
}

const source = all.filter((path) => !TEST.test(path));
const rows = [
  ...measure('source', source),
  ...measure(
    'tests',
    all.filter((path) => TEST.test(path)),
  ),
  ['feature folders in a cycle', foldersInCycles().length],
  ['folders of more than 12 files', crowdedFolders(12).length],
  [
    'files with SQL outside repositories and migrations',
    source.filter((path) => /^(apps|libs)\//.test(path) && !SQL_HOME.test(path) && SQL.test(textOf(path))).length,
  ],
];
for (const [name, value] of rows) process.stdout.write(`${name}: ${value}\n`);
