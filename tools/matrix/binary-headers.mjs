// Reads what programs and shared libraries of Linux (ELF) and macOS (Mach-O) say about themselves. All are 64-bit and
// little-endian on the systems that are supported.

const ELF = 0x7f454c46;
const MACH_O = 0xcffaedfe;
const UNIVERSAL = 0xcafebabe;
/** Classes of Java begin like universal files; their next number is a version from 45 on. */
const MOST_ARCHITECTURES = 10;

const ELF_MACHINES = { 62: 'x64', 183: 'arm64' };
const MACH_O_CPUS = { 0x01000007: 'x64', 0x0100000c: 'arm64' };

const INTERPRETER = 3;
const DYNAMIC = 2;
const LOADED = 1;
const [NEEDED, STRINGS, OLD_PATH, PATH] = [1, 5, 15, 29];

const MACH_O_PROGRAM = 2;
const LOAD_COMMANDS = new Set([0xc, 0x80000018, 0x8000001f]);
const SEARCH_PATH = 0x8000001c;
const SIGNATURE = 0x1d;
const BUILD_VERSION = 0x32;
const LEAST_VERSION = 0x24;

const textAt = (bytes, offset) => bytes.toString('utf8', offset, bytes.indexOf(0, offset));

function elfSegments(bytes) {
  const begin = Number(bytes.readBigUInt64LE(32));
  const size = bytes.readUInt16LE(54);
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = begin + index * size;
    const [offset, address] = [8, 16].map((field) => Number(bytes.readBigUInt64LE(at + field)));
    return { type: bytes.readUInt32LE(at), offset, address, size: Number(bytes.readBigUInt64LE(at + 32)) };
  });
}

/** Pairs of kind and value: what the linker of the system is told. */
function elfEntries(bytes, segments) {
  const dynamic = segments.find(({ type }) => type === DYNAMIC);
  const entries = [];
  for (let at = dynamic?.offset; at < dynamic?.offset + dynamic?.size; at += 16)
    entries.push([0, 8].map((field) => Number(bytes.readBigUInt64LE(at + field))));
  return entries;
}

function elfImage(bytes) {
  const segments = elfSegments(bytes);
  const entries = elfEntries(bytes, segments);
  const address = entries.find(([kind]) => kind === STRINGS)?.[1];
  const holder = segments.find(
    (one) => one.type === LOADED && address >= one.address && address < one.address + one.size,
  );
  const strings = holder && address - holder.address + holder.offset;
  const texts = (...kinds) =>
    entries.filter(([kind]) => kinds.includes(kind)).map(([, value]) => textAt(bytes, strings + value));
  return {
    system: 'linux',
    arch: ELF_MACHINES[bytes.readUInt16LE(18)] ?? `machine ${bytes.readUInt16LE(18)}`,
    isProgram: segments.some(({ type }) => type === INTERPRETER) || entries.length === 0,
    needs: texts(NEEDED),
    paths: texts(OLD_PATH, PATH).flatMap((path) => path.split(':')),
  };
}

function machOCommands(bytes) {
  const commands = [];
  for (let at = 32, left = bytes.readUInt32LE(16); left > 0; at += bytes.readUInt32LE(at + 4), left -= 1)
    commands.push({ kind: bytes.readUInt32LE(at), at });
  return commands;
}

const versionOf = (number) => `${number >>> 16}.${(number >>> 8) & 0xff}`;

function machOImage(bytes) {
  const commands = machOCommands(bytes);
  const texts = (wanted) =>
    commands.filter(({ kind }) => wanted(kind)).map(({ at }) => textAt(bytes, at + bytes.readUInt32LE(at + 8)));
  const [build] = commands.filter(({ kind }) => kind === BUILD_VERSION).map(({ at }) => bytes.readUInt32LE(at + 12));
  const [least] = commands.filter(({ kind }) => kind === LEAST_VERSION).map(({ at }) => bytes.readUInt32LE(at + 8));
  return {
    system: 'darwin',
    arch: MACH_O_CPUS[bytes.readUInt32LE(4)] ?? `processor ${bytes.readUInt32LE(4)}`,
    isProgram: bytes.readUInt32LE(12) === MACH_O_PROGRAM,
    needs: texts((kind) => LOAD_COMMANDS.has(kind)),
    paths: texts((kind) => kind === SEARCH_PATH),
    isSigned: commands.some(({ kind }) => kind === SIGNATURE),
    since: versionOf(build ?? least ?? 0),
  };
}

/** A universal file holds one image for each processor. */
function universalImages(bytes) {
  const count = bytes.readUInt32BE(4);
  if (count > MOST_ARCHITECTURES) return [];
  return Array.from({ length: count }, (_, index) => {
    const [offset, size] = [8, 12].map((field) => bytes.readUInt32BE(8 + index * 20 + field));
    return machOImage(bytes.subarray(offset, offset + size));
  });
}

/** What a file holds for the systems that it runs on; nothing if it is neither a program nor a library. */
export function imagesIn(bytes) {
  const magic = bytes.length < 64 ? 0 : bytes.readUInt32BE(0);
  if (magic === ELF) return [elfImage(bytes)];
  if (magic === MACH_O) return [machOImage(bytes)];
  return magic === UNIVERSAL ? universalImages(bytes) : [];
}
