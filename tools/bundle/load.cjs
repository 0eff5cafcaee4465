'use strict';
const { createHash, randomUUID } = require('node:crypto');
const { readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { Script } = require('node:vm');

// Starts the program beside it: `main.js` starts `main.program.js`. What V8 compiled of it is kept, where the directory
// can be written, and saves the next start a third of its CPU. From version 22 on, Node could do this by itself.

const path = __filename.replace(/\.js$/, '.program.js');

function readKept(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** Another process may be reading: it finds the old file or the new one, whole. */
function keep(script, file) {
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, script.createCachedData(), { flag: 'wx' });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
  }
}

function load() {
  const bytes = readFileSync(path);
  // V8 itself compares only the length of the text.
  const file = `${path}.${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}.compiled`;
  // The bundler writes ASCII alone, and nothing is read faster.
  const text = `(function (require, __filename, __dirname, module, exports) {${bytes.latin1Slice()}\n})`;
  const script = new Script(text, { filename: path, cachedData: readKept(file) });
  // At the end it holds the functions that were called, too. A program that failed has called too few.
  if (script.cachedDataRejected !== false) process.once('exit', (code) => code === 0 && keep(script, file));
  return script.runInThisContext();
}

load()(createRequire(path), path, __dirname, module, exports);
