import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail, REPOSITORY, run } from './bootstrap.mjs';
import { CONSOLE_BUILD, MARK } from './console.mjs';

// Compiles the programs of `npm start` from their sources: the services as the images have them, and the tools beside
// them. What has not changed is left as it is.

const at = (...path) => join(REPOSITORY, ...path);

const PROGRAMS = at('.stack/programs');
/** As deep as the sources of the tools, which find the repository from their own place. */
const TOOLS = at('.stack/tools');
const TOOL_NAMES = ['stack', 'dev-idp', 'demo', 'operate', 'cli', 'agent-sim'];

/** Tests, output, and what the client has from the contracts, which follows from other sources. */
const NOT_COMPILED = /^(?:node_modules|dist|dist-next|test|contract(?:-tables)?\.ts|.*spec\.ts)$/;

/** Every file below, with the time and the size of each. */
function filesIn(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return [`${path} ${status.mtimeMs} ${status.size}`];
  const names = readdirSync(path).filter((name) => !NOT_COMPILED.test(name));
  return names.flatMap((name) => filesIn(join(path, name)));
}

/** One line that changes with every source. */
function markOf(...paths) {
  const files = ['package-lock.json', 'tools/bundle', 'libs', ...paths].flatMap((path) => filesIn(at(path)));
  return createHash('sha256').update(files.sort().join('\n')).digest('hex');
}

const isMarked = (directory, mark) =>
  existsSync(join(directory, MARK)) && readFileSync(join(directory, MARK), 'utf8') === mark;

/** Compiles into an empty directory, which takes the place of the last one only when that has succeeded. */
async function make(directory, mark, ...command) {
  if (isMarked(directory, mark)) return;
  const next = `${directory}-next`;
  rmSync(next, { recursive: true, force: true });
  if (
    (await run(
      process.execPath,
      command.map((word) => word ?? next),
    )) !== 0
  )
    fail('Gatehouse cannot start: its programs could not be compiled; what the compiler said is above');
  writeFileSync(join(next, MARK), mark);
  rmSync(directory, { recursive: true, force: true });
  renameSync(next, directory);
}

/** The compiled program of a tool. */
export async function toolProgram(tool, program = 'main') {
  const mark = markOf(...TOOL_NAMES.map((name) => `tools/${name}/src`));
  await make(TOOLS, mark, 'tools/bundle/tools.mjs', null, ...TOOL_NAMES);
  return join(TOOLS, tool, `${program}.js`);
}

/** The directory of the services' programs. */
export async function servicePrograms() {
  const services = readdirSync(at('apps')).filter((name) => existsSync(at('apps', name, 'src/service.ts')));
  const mark = markOf(...services.map((name) => `apps/${name}`), 'tools/operate/src', 'deploy/docker/healthcheck.mjs');
  await make(PROGRAMS, mark, 'tools/bundle/bundle.mjs', '--start', null);
  return PROGRAMS;
}

/** Puts the built console beside the gateway's program. */
export function addConsole(programs) {
  const place = join(programs, 'dist/gateway/console');
  if (!existsSync(CONSOLE_BUILD) || isMarked(place, readFileSync(join(CONSOLE_BUILD, MARK), 'utf8'))) return;
  rmSync(place, { recursive: true, force: true });
  cpSync(CONSOLE_BUILD, place, { recursive: true, filter: (path) => !path.endsWith('.map') });
}
