import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeContractTables } from '../contract-types.mjs';
import { compilePrograms, REPOSITORY } from './compile.mjs';

// Compiles tools of the repository that run from `npm start` alone, without the compiler and the packages of the tests:
//   <out>/<tool>/main.js
// usage: node tools/bundle/tools.mjs <out> <tool>…

/** The launcher as `npm start` calls it, and the program that keeps its servers; other tools are one program. */
const ENTRIES = { stack: ['launch', 'shared/backing-host'] };

const entriesOf = (tool) =>
  (ENTRIES[tool] ?? ['main']).map((name) => ({
    in: join(REPOSITORY, 'tools', tool, 'src', `${name}.ts`),
    out: `${tool}/${name.split('/').at(-1)}`,
  }));

const [out, ...tools] = process.argv.slice(2);
const known = readdirSync(join(REPOSITORY, 'tools'));
if (!out || tools.length === 0 || !tools.every((tool) => known.includes(tool))) {
  process.stderr.write('usage: node tools/bundle/tools.mjs <out> <tool>…\n');
  process.exit(2);
}
writeContractTables();
await compilePrograms('module', tools.flatMap(entriesOf), out);
