import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { compilePrograms, NATIVE, REPOSITORY } from './compile.mjs';
import { digestOf, settle } from './layer.mjs';
import { Packages } from './packages.mjs';

// Makes each program one directory that runs without node_modules, from the sources:
//   <out>/dist/<service>/main.js and migrate.js, which load the programs beside them, and those of its worker threads;
//   <out>/pages for the gateway, whose directory holds the built console too;
//   <out>/dist/operate/main.js, the operator's commands;   <out>/dist/<program>/sbom.cdx.json, what the program is made
//   of;   <out>/healthcheck.mjs.
// Two runs over the same sources write the same bytes, times and modes; the last line is the digest over them.
// usage: node tools/bundle/bundle.mjs [--quiet|--start] <out> [service…|operate]
// For `npm start` it leaves out the console, which is built at the same time, and the bill of materials.
// BASE_IMAGE is named in the bill of materials, SOURCE_DATE_EPOCH is the time of all files.

/** The entry points: the service, its migrations, and worker threads, which load their programs from beside `main`. */
const PROGRAM = /^(?:main|migrate|.*-worker)\.ts$/;

/** Serves the files of the console: the gateway has it, and for the other services it is an absent part. */
const OF_GATEWAY = '@fastify/static';

/** A worker thread is started by its program itself, any other by the loader of its name. */
const programFor = (name) => (name.endsWith('-worker') ? name : `${name}.program`);

const require = createRequire(import.meta.url);
/** The operator's commands, which have an image of their own. */
const OPERATE = 'operate';
const GATEWAY = 'gateway';
const inApp = (service, ...path) => join(REPOSITORY, service === OPERATE ? 'tools' : 'apps', service, ...path);
const SERVICES = readdirSync(join(REPOSITORY, 'apps')).filter((name) => existsSync(inApp(name, 'src/service.ts')));
const PROGRAMS = [...SERVICES, OPERATE];

const entriesOf = (service) =>
  readdirSync(inApp(service, 'src'))
    .filter((name) => PROGRAM.test(name))
    .map((name) => ({ in: inApp(service, 'src', name), out: join(service, programFor(basename(name, '.ts'))) }));

/** Compiles the programs of the services together: what they share is read once. @returns the bundler's accounts */
async function compile(services, dist) {
  const others = services.filter((service) => service !== GATEWAY);
  const runs = [
    [others, [OF_GATEWAY]],
    [services.filter((service) => service === GATEWAY), []],
  ].filter(([chosen]) => chosen.length > 0);
  return Promise.all(
    runs.map(([chosen, absent]) => compilePrograms('script', chosen.flatMap(entriesOf), dist, absent)),
  );
}

/** The files of one service among those that the bundler wrote. */
function outputsOf(service, accounts, dist) {
  const isOurs = ([path]) => resolve(REPOSITORY, path).startsWith(join(dist, service) + sep);
  const { inputs, outputs } = accounts.find((account) => Object.entries(account.outputs).some(isOurs));
  return { inputs, outputs: Object.fromEntries(Object.entries(outputs).filter(isOurs)) };
}

function addNative(directory, packages) {
  const scope = dirname(join(REPOSITORY, 'node_modules', NATIVE));
  const wanted = readdirSync(scope).filter((name) => name.startsWith('argon2'));
  for (const name of wanted) {
    packages.addCopied(join(scope, name));
    cpSync(join(scope, name), join(directory, 'node_modules/@node-rs', name), { recursive: true });
  }
}

/** Copies the files that the gateway serves itself; it reads them from beside its program. */
function addPages(out, directory, packages) {
  cpSync(inApp('gateway', 'pages'), join(out, 'pages'), { recursive: true });
  const documents = SERVICES.filter((service) => existsSync(inApp(service, 'openapi.json')));
  for (const service of documents)
    cpSync(inApp(service, 'openapi.json'), join(directory, 'openapi', `${service}.json`));
  cpSync(join(REPOSITORY, 'tools/openapi/examples.json'), join(directory, 'openapi/examples.json'));
  const viewer = dirname(
    require.resolve('swagger-ui-dist/package.json', { paths: [dirname(require.resolve('@nestjs/swagger'))] }),
  );
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    cpSync(join(viewer, name), join(directory, 'swagger-ui', name));
  const qrCode = dirname(require.resolve('uqr'));
  cpSync(join(qrCode, 'index.mjs'), join(directory, 'qr-code', 'uqr.js'));
  for (const copied of [viewer, dirname(qrCode)]) packages.addCopied(copied);
}

/** Copies the built console, without its source maps. */
function addConsole(directory, packages) {
  const built = inApp('console', 'dist');
  if (!existsSync(join(built, 'index.html'))) return;
  packages.addSourceMaps(built);
  cpSync(built, join(directory, 'console'), { recursive: true, filter: (path) => !path.endsWith('.map') });
}

const sizeOf = (directory) =>
  readdirSync(directory, { recursive: true }).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

/** Adds what the programs of a service need beside them. @returns the packages that it is made of */
function complete(service, out, account) {
  const directory = join(out, 'dist', service);
  const packages = new Packages(REPOSITORY);
  packages.addBundle(account);
  for (const program of readdirSync(directory).filter((name) => name.endsWith('.program.js')))
    cpSync(join(REPOSITORY, 'tools/bundle/load.cjs'), join(directory, program.replace('.program', '')));
  writeFileSync(join(directory, 'package.json'), '{"type":"commonjs"}\n');
  const needsNative = Object.values(account.outputs).some(({ imports }) => imports.some(({ path }) => path === NATIVE));
  if (needsNative) addNative(directory, packages);
  if (service === GATEWAY) {
    addPages(out, directory, packages);
    if (!isForStart) addConsole(directory, packages);
  }
  return packages;
}

/** Says what a service is made of. Only images need it, and only they pay for the library that writes it. */
async function describe(service, out, packages) {
  const { sbomOf } = await import('./sbom.mjs');
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  const subject = { name: `gatehouse-${service}`, version, base: process.env.BASE_IMAGE };
  const directory = join(out, 'dist', service);
  writeFileSync(join(directory, 'sbom.cdx.json'), `${sbomOf(subject, packages.list())}\n`);
  if (!isQuiet) process.stdout.write(`${service} ${(sizeOf(directory) / 1e6).toFixed(1)} MB\n`);
}

const args = process.argv.slice(2);
const isForStart = args[0] === '--start';
const isQuiet = isForStart || args[0] === '--quiet';
const [target, ...chosen] = args.slice(isQuiet ? 1 : 0);
const unknown = chosen.filter((service) => !PROGRAMS.includes(service));
if (!target || unknown.length > 0) {
  process.stderr.write(`usage: node tools/bundle/bundle.mjs [--quiet|--start] <out> [${PROGRAMS.join('|')}]…\n`);
  process.exit(2);
}
const out = resolve(target);
const services = chosen.length > 0 ? chosen : PROGRAMS;
for (const service of services) rmSync(join(out, 'dist', service), { recursive: true, force: true });
const accounts = await compile(services, join(out, 'dist'));
for (const service of services) {
  const packages = complete(service, out, outputsOf(service, accounts, join(out, 'dist')));
  if (!isForStart) await describe(service, out, packages);
}
cpSync(join(REPOSITORY, 'deploy/docker/healthcheck.mjs'), join(out, 'healthcheck.mjs'));
settle(out);
if (!isQuiet) process.stdout.write(`${digestOf(out)}\n`);
