import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { imagesIn } from './binary-headers.mjs';

// What an unpacked package must be for a system: its programs and libraries for that processor, and nothing missing.

/** What every macOS has. */
const OF_MACOS = /^\/(?:usr\/lib|System\/Library)\//;
/** The C library of Linux and the libraries of the compiler. */
const OF_LINUX = /^(?:lib(?:c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+|atomic)\.so\.\d+|ld-linux.*)$/;
/** Parts of PostgreSQL that the product never loads, and whose libraries a package may lack. */
const UNUSED = /\/pgxs\/|\/(?:\w*pl(?:perl|python|tcl)\w*|pgxml|libpq-oauth-\d+)\.(?:so|dylib)$/;
/** Replaced by the program that loads the library. */
const PROGRAM_ITSELF = /^@(?:executable_path|rpath)\//;

const filesBelow = (root) => readdirSync(root, { recursive: true }).map((name) => join(root, name));

function leadsToFile(path) {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Programs and libraries in a directory, with what they hold for the system. */
export function binariesIn(root, { system, arch }) {
  const files = filesBelow(root).filter((path) => lstatSync(path).isFile());
  return files.flatMap((path) => {
    const images = imagesIn(readFileSync(path));
    const own = images.find((image) => image.system === system && image.arch === arch);
    return images.length === 0 ? [] : [{ path, name: relative(root, path), images, own, isRunnable: isRunnable(path) }];
  });
}

const isRunnable = (path) => (statSync(path).mode & 0o111) === 0o111;

/** Where a library may lie that a file names. */
function placesOf(need, { path, own }) {
  const folder = dirname(path);
  const paths = own.paths.map((one) => one.replace(/\$\{?ORIGIN\}?|@loader_path|@executable_path/, folder));
  if (need.startsWith('@loader_path/')) return [need.replace('@loader_path', folder)];
  if (PROGRAM_ITSELF.test(need)) return [...paths, folder].map((one) => join(one, need.replace(PROGRAM_ITSELF, '')));
  return need.startsWith('/') ? [need] : [...paths, folder].map((one) => join(one, need));
}

/** Whether every system of that kind has it. */
export const comesWith = (need) => OF_MACOS.test(need) || OF_LINUX.test(need);

/** A library that names itself, as those of macOS do. */
const isItself = (need, path) => basename(need) === basename(path);

const missingFor = (binary) =>
  binary.own.needs.filter(
    (need) => !comesWith(need) && !isItself(need, binary.path) && !placesOf(need, binary).some(leadsToFile),
  );

function faultsOf(binary) {
  const { name, own, images, isRunnable: runnable } = binary;
  if (own === undefined) return [`${name} is for ${images.map(({ system, arch }) => `${system}-${arch}`).join(', ')}`];
  const faults = (UNUSED.test(name) ? [] : missingFor(binary)).map((need) => `${name} needs ${need}`);
  if (own.isProgram && !runnable) faults.push(`${name} is not executable`);
  if (own.system === 'darwin' && own.arch === 'arm64' && !own.isSigned) faults.push(`${name} is not signed`);
  return faults;
}

/** Links that lead nowhere. */
const brokenLinks = (root) =>
  filesBelow(root)
    .filter((path) => lstatSync(path).isSymbolicLink() && !leadsToFile(realOr(path)))
    .map((path) => `${relative(root, path)} leads nowhere`);

function realOr(path) {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const byNumber = (a, b) => a.localeCompare(b, 'en', { numeric: true });

function factsOf(root, fitting) {
  const programs = fitting.filter(({ own }) => own.isProgram).length;
  const links = filesBelow(root).filter((path) => lstatSync(path).isSymbolicLink()).length;
  const incomplete = fitting.filter((binary) => UNUSED.test(binary.name) && missingFor(binary).length > 0);
  const since = fitting.map(({ own }) => own.since ?? '').sort(byNumber);
  return [
    `programs: ${programs}, libraries: ${fitting.length - programs}`,
    links > 0 && `links: ${links}`,
    incomplete.length > 0 && `${incomplete.length} unused ones lack a library`,
    since.at(-1) && `from macOS ${since.at(-1)} on`,
  ];
}

/** @returns what was found, in words, and what is wrong with it */
export function inspected(root, platform) {
  const binaries = binariesIn(root, platform);
  const fitting = binaries.filter(({ own }) => own !== undefined);
  const faults = [...binaries.flatMap(faultsOf), ...brokenLinks(root)];
  if (fitting.length === 0) faults.push('nothing in it runs on this system');
  return { note: factsOf(root, fitting).filter(Boolean).join(', '), faults };
}
