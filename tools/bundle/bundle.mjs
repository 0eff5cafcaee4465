import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { build } from 'esbuild';

// Makes each service one directory that runs without node_modules, from what the compiler emitted:
//   <out>/dist/<service>/main.js, migrate.js and the programs of its worker threads;   <out>/pages for the gateway,
//   whose directory holds the built console too.
// usage: node tools/bundle/bundle.mjs <out> [service…]

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

function requireStrictErrors(program) {
  if (/captureStackTrace\(this,\s*arguments\.callee\)/.test(readFileSync(program, 'utf8')))
    throw new Error(`${program} has an error class that cannot be made in strict mode`);
}

const require = createRequire(import.meta.url);
const inApp = (service, ...path) => join(REPOSITORY, 'apps', service, ...path);

async function bundle(service, directory) {
  const programs = readdirSync(inApp(service, 'dist'))
    .filter((name) => PROGRAM.test(name))
    .map((name) => inApp(service, 'dist', name));
  const { metafile } = await build({
    entryPoints: programs,
    outdir: directory,
    // No splitting: an `import()` of a CommonJS package that became a chunk would lose its named exports.
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: [...ABSENT, ...(service === 'gateway' ? [] : [OF_GATEWAY]), NATIVE],
    plugins: [strictErrors],
    banner: { js: BANNER },
    // Class names are names of tables, providers and events, so they are kept even where two modules use the same one.
    keepNames: true,
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    logLevel: 'error',
    metafile: true,
  });
  for (const program of programs.map((path) => basename(path))) requireStrictErrors(join(directory, program));
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}\n');
  return Object.values(metafile.outputs).some(({ imports }) => imports.some(({ path }) => path === NATIVE));
}

function addNative(directory) {
  const scope = dirname(join(REPOSITORY, 'node_modules', NATIVE));
  const wanted = readdirSync(scope).filter((name) => name.startsWith('argon2'));
  for (const name of wanted)
    cpSync(join(scope, name), join(directory, 'node_modules/@node-rs', name), { recursive: true });
}

/** Copies the files that the gateway serves itself; it reads them from beside its program. */
function addPages(out, directory) {
  cpSync(inApp('gateway', 'pages'), join(out, 'pages'), { recursive: true });
  const documents = SERVICE_NAMES.filter((service) => existsSync(inApp(service, 'openapi.json')));
  for (const service of documents)
    cpSync(inApp(service, 'openapi.json'), join(directory, 'openapi', `${service}.json`));
  const viewer = dirname(
    require.resolve('swagger-ui-dist/package.json', { paths: [dirname(require.resolve('@nestjs/swagger'))] }),
  );
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css'])
    cpSync(join(viewer, name), join(directory, 'swagger-ui', name));
  cpSync(join(dirname(require.resolve('uqr')), 'index.mjs'), join(directory, 'qr-code', 'uqr.js'));
}

/** Copies the built console, without its source maps. */
function addConsole(directory) {
  const built = inApp('console', 'dist');
  if (!existsSync(join(built, 'index.html'))) return;
  cpSync(built, join(directory, 'console'), { recursive: true, filter: (path) => !path.endsWith('.map') });
}

const sizeOf = (directory) =>
  readdirSync(directory, { recursive: true }).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

const [target, ...chosen] = process.argv.slice(2);
const services = chosen.length > 0 ? chosen : SERVICE_NAMES;
const unknown = services.filter((service) => !SERVICE_NAMES.includes(service));
if (!target || unknown.length > 0) {
  process.stderr.write(`usage: node tools/bundle/bundle.mjs <out> [${SERVICE_NAMES.join('|')}]…\n`);
  process.exit(2);
}
const out = resolve(target);
for (const service of services) {
  const directory = join(out, 'dist', service);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  if (await bundle(service, directory)) addNative(directory);
  if (service === 'gateway') {
    addPages(out, directory);
    addConsole(directory);
  }
  process.stdout.write(`${service} ${(sizeOf(directory) / 1e6).toFixed(1)} MB\n`);
}
