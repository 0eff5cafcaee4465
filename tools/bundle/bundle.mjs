import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@gatehouse/contracts-core/services';
import { build } from 'esbuild';
import { digestOf, settle } from './layer.mjs';
import { Packages } from './packages.mjs';
import { sbomOf } from './sbom.mjs';

// Makes each program one directory that runs without node_modules, from what the compiler emitted:
//   <out>/dist/<service>/main.js, migrate.js and the programs of its worker threads;   <out>/pages for the gateway,
//   whose directory holds the built console too;   <out>/dist/operate/main.js, the operator's commands;
//   <out>/dist/<program>/sbom.cdx.json, what the program is made of;   <out>/healthcheck.mjs.
// Two runs over the same sources write the same bytes, times and modes; the last line is the digest over them.
// usage: node tools/bundle/bundle.mjs [--quiet] <out> [service…|operate]
// BASE_IMAGE is named in the bill of materials, SOURCE_DATE_EPOCH is the time of all files.

const REPOSITORY = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The entry points: the service, its migrations, and worker threads, which load their programs from beside `main`. */
const PROGRAM = /^(?:main|migrate|.*-worker)\.js$/;

/** Optional parts of dependencies that the product does not use; each is loaded only when configured. */
const ABSENT = [
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-express',
  '@fastify/multipart',
  '@fastify/view',
  'pg-native',
];

/** Serves the files of the console: the gateway has it, and for the other services it is an absent part. */
const OF_GATEWAY = '@fastify/static';

/** Contains a compiled library for each platform, so it is copied beside the bundle instead of into it. */
const NATIVE = '@node-rs/argon2';

// Parts written for `require` ask for it, and for their own place, at run time.
const BANNER = [
  "import { createRequire as __createRequire } from 'node:module';",
  "import { fileURLToPath as __toPath } from 'node:url';",
  'const require = __createRequire(import.meta.url);',
  "const __filename = __toPath(import.meta.url), __dirname = __toPath(new URL('.', import.meta.url));",
].join(' ');

/**
 * These modules are not written for strict mode, which applies to the whole bundle: `arguments.callee` would end the
 * process when a provider answers with an error.
 */
const strictErrors = {
  name: 'strict errors',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules\/passport[^/]*\/lib\/errors\/\w+\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('arguments.callee', 'this.constructor'),
    })),
};

const BEYOND_LATIN_1 = /[^\0-\xff]/g;

/**
 * The alphabets in the patterns of this package, as escapes: Node keeps the text of a program in memory, at twice the
 * size when one character of it is beyond Latin-1.
 */
const alphabets = {
  name: 'alphabets',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules\/validator\/.*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        BEYOND_LATIN_1,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    })),
};

function check(program) {
  const text = readFileSync(program, 'utf8');
  if (/captureStackTrace\(this,\s*arguments\.callee\)/.test(text))
    throw new Error(`${program} has an error class that cannot be made in strict mode`);
  if (text.search(BEYOND_LATIN_1) !== -1) throw new Error(`${program} has a character beyond Latin-1`);
}

const require = createRequire(import.meta.url);
/** The operator's commands, which have an image of their own. */
const OPERATE = 'operate';
const PROGRAMS = [...SERVICE_NAMES, OPERATE];
const inApp = (service, ...path) => join(REPOSITORY, service === OPERATE ? 'tools' : 'apps', service, ...path);

async function bundle(service, directory, packages) {
  const programs = readdirSync(inApp(service, 'dist'))
    .filter((name) => PROGRAM.test(name))
    .map((name) => inApp(service, 'dist', name));
  const { metafile } = await build({
    // Names of files in the output are relative to it.
    absWorkingDir: REPOSITORY,
    entryPoints: programs,
    outdir: directory,
    // No splitting: an `import()` of a CommonJS package that became a chunk would lose its named exports.
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [...ABSENT, ...(service === 'gateway' ? [] : [OF_GATEWAY]), NATIVE],
    plugins: [strictErrors, alphabets],
    banner: { js: BANNER },
    // Class names are names of tables, providers and events, so they are kept even where two modules use the same one.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  for (const program of programs.map((path) => basename(path))) check(join(directory, program));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}\n');
  packages.addBundle(metafile);
  return Object.values(metafile.outputs).some(({ imports }) => imports.some(({ path }) => path === NATIVE));
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
  const documents = SERVICE_NAMES.filter((service) => existsSync(inApp(service, 'openapi.json')));
  for (const service of documents)
    cpSync(inApp(service, 'openapi.json'), join(directory, 'openapi', `${service}.json`));
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

async function make(service, out) {
  const directory = join(out, 'dist', service);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const packages = new Packages(REPOSITORY);
  if (await bundle(service, directory, packages)) addNative(directory, packages);
  if (service === 'gateway') {
    addPages(out, directory, packages);
    addConsole(directory, packages);
  }
  const { version } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8'));
  const subject = { name: `gatehouse-${service}`, version, base: process.env.BASE_IMAGE };
  writeFileSync(join(directory, 'sbom.cdx.json'), `${sbomOf(subject, packages.list())}\n`);
  if (!isQuiet) process.stdout.write(`${service} ${(sizeOf(directory) / 1e6).toFixed(1)} MB\n`);
}

const args = process.argv.slice(2);
const isQuiet = args[0] === '--quiet';
const [target, ...chosen] = args.slice(isQuiet ? 1 : 0);
const unknown = chosen.filter((service) => !PROGRAMS.includes(service));
if (!target || unknown.length > 0) {
  process.stderr.write(`usage: node tools/bundle/bundle.mjs <out> [${PROGRAMS.join('|')}]…\n`);
  process.exit(2);
}
const out = resolve(target);
for (const service of chosen.length > 0 ? chosen : PROGRAMS) await make(service, out);
cpSync(join(REPOSITORY, 'deploy/docker/healthcheck.mjs'), join(out, 'healthcheck.mjs'));
settle(out);
if (!isQuiet) process.stdout.write(`${digestOf(out)}\n`);
