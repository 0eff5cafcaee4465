import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { digestOf } from '../bundle/layer.mjs';

// What a suite depends on is digested, and kept when the suite passes. On a machine of a developer `npm test` leaves
// out the suites whose digest is the one of their last pass. CI and `npm test -- --all` run everything.

const REPOSITORY = join(import.meta.dirname, '../..');
const PASSED = join(REPOSITORY, 'node_modules/.cache/gatehouse-passed');
/** The projects whose suites read nothing but their project, the packages that it names, and what tests use. */
export const CONFINED =
  /^(apps\/(?:audit|identity|notifier|pam|pam-ingest|tenancy)|libs\/(?!testing\/).+?)\/(?:src|test)\//;
const OF_ALL_SUITES = /^(?:[^/]+$|tools\/(?:test-runtime\/|jest\.mjs))/;
const HARNESS = /^(?:libs\/(?:testing|agent|contracts\/.+)|tools\/(?:dev-idp|audit-verify))$/;
/** What the programs of the images are made of: their digest stands for it. */
const IN_PROGRAMS = /^apps\/(?!e2e\/|console-e2e\/)[^/]+\/(?:src|test|public)\/|^docs\/|^[^/]+\.md$/;
const ON_PROGRAMS = /^apps\/console-e2e\/|\.e2e-spec\.ts$/;

const git = (args, input) =>
  execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 1e8, input }).split('\n').filter(Boolean);

/** The ids of the contents of all files of the working tree, by path. */
function contents() {
  const listed = git(['ls-files', '--cached', '--others', '--exclude-standard']);
  const paths = [...new Set(listed)].filter((path) => existsSync(join(REPOSITORY, path))).sort();
  const ids = git(['hash-object', '--stdin-paths'], `${paths.join('\n')}\n`);
  return new Map(paths.map((path, place) => [path, ids[place]]));
}

const packages = new Map(
  git(['ls-files', '*/package.json']).map((path) => {
    const { name, dependencies = {} } = JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8'));
    return [name, { name, folder: dirname(path), needs: Object.keys(dependencies) }];
  }),
);

/** A project, the harness, and the workspace packages that they name, and those that these name. */
export function packagesOf(project) {
  const isFirst = ({ folder }) => folder === project || HARNESS.test(folder);
  const found = new Set([...packages.values()].filter(isFirst));
  for (const { needs } of found) for (const name of needs) if (packages.has(name)) found.add(packages.get(name));
  return [...found];
}

function inputsOf(suite) {
  const isOther = (path) => /spec\.tsx?$/.test(path) && !path.startsWith(suite);
  if (ON_PROGRAMS.test(suite)) return (path) => !IN_PROGRAMS.test(path) && !isOther(path);
  const [, project] = CONFINED.exec(suite) ?? [];
  if (!project) return () => true;
  const folders = packagesOf(project).map(({ folder }) => folder);
  return (path) =>
    OF_ALL_SUITES.test(path) || (!isOther(path) && folders.some((folder) => path.startsWith(`${folder}/`)));
}

const placeOf = (suite) => join(PASSED, suite.replaceAll('/', '_'));

/** What suites depended on before they ran. */
export class Unchanged {
  constructor(programs = process.env.GATEHOUSE_PROGRAMS) {
    this.contents = contents();
    this.programs = programs ? digestOf(programs) : '';
  }

  digest(suite) {
    const isInput = inputsOf(suite);
    const hash = createHash('sha256').update(process.version);
    if (ON_PROGRAMS.test(suite)) hash.update(this.programs);
    for (const [path, id] of this.contents) if (isInput(path)) hash.update(`${path}\0${id}\n`);
    return hash.digest('hex');
  }

  hasPassed(suite) {
    const place = placeOf(suite);
    return existsSync(place) && readFileSync(place, 'utf8') === this.digest(suite);
  }

  keepPass(suite) {
    mkdirSync(PASSED, { recursive: true });
    writeFileSync(placeOf(suite), this.digest(suite));
  }
}
