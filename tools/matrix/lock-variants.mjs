// Reads from the lock file which packages come in variants for systems, and which variant a system gets.

/** What takes the place of a variant that does not exist. */
const WITHOUT = {
  fsevents: 'the watcher of Node (fsevents is for macOS alone)',
  '@napi-rs/lzma': 'nothing (only the build of rollup itself uses it)',
};
const WEB_ASSEMBLY = 'wasm32';

const allows = (list, value) => list === undefined || list.includes(value);

/** The servers and images run on glibc. */
const runsOn = ({ os, cpu, libc }, { system, arch }) =>
  allows(os, system) && allows(cpu, arch) && (system !== 'linux' || allows(libc, 'glibc'));

/** As Node looks for it: first below the package itself, then in each directory above. */
function placeOf(packages, from, name) {
  for (let base = from; ; base = base.slice(0, base.lastIndexOf('/node_modules/'))) {
    if (packages[`${base}/node_modules/${name}`]) return `${base}/node_modules/${name}`;
    if (!base.includes('/node_modules/')) return packages[`node_modules/${name}`] && `node_modules/${name}`;
  }
}

/** Where a name says its system in another word. */
const NAMES = { win32: ['win32', 'windows'] };

/** The name without system and processor: `@swc/core-darwin-x64` and `@swc/core-linux-x64-gnu` are of one family. */
function familyOf(name, { os = [], cpu = [] }) {
  const words = [...os, ...cpu].flatMap((word) => NAMES[word] ?? [word]);
  const cuts = words.map((word) => name.search(new RegExp(`[-/]${word}(?:-|$)`))).filter((at) => at > 0);
  return cuts.length > 0 ? name.slice(0, Math.min(...cuts)) : name;
}

function variantsOf(packages, path, { optionalDependencies = {} }) {
  return Object.keys(optionalDependencies).flatMap((name) => {
    const entry = packages[placeOf(packages, path, name)];
    if (!entry?.os && !entry?.cpu) return [];
    return [{ name, ...entry, family: familyOf(name, entry), by: path.replace(/^.*node_modules\//, '') }];
  });
}

/** The packages that come in variants: each with its variants in the lock file. */
export function familiesIn({ packages }) {
  const families = new Map();
  for (const [path, entry] of Object.entries(packages)) {
    for (const variant of variantsOf(packages, path, entry)) {
      const { by, family, ...facts } = variant;
      const known = families.get(family) ?? { family, by: new Set(), variants: new Map() };
      families.set(family, known);
      known.by.add(by);
      known.variants.set(`${facts.name}@${facts.version}`, facts);
    }
  }
  return [...families.values()].map(({ family, by, variants }) => ({
    family,
    by: [...by],
    variants: [...variants.values()],
  }));
}

const portable = ({ variants, family }) => {
  const wasm = variants.find(({ cpu }) => cpu?.includes(WEB_ASSEMBLY));
  return wasm ? `${wasm.name}@${wasm.version}` : WITHOUT[family];
};

/** What a system gets of a family: its variants, or what takes their place; a `fault` if neither is there. */
export function choiceFor(family, platform) {
  const variants = family.variants.filter((variant) => runsOn(variant, platform));
  const versions = new Set(family.variants.map(({ version }) => version));
  if (variants.length === 0) {
    const fallback = portable(family);
    return fallback ? { variants, fallback } : { variants, fault: 'neither a variant nor a portable one' };
  }
  const missing = [...versions].filter((version) => !variants.some((variant) => variant.version === version));
  return missing.length > 0 ? { variants, fault: `no variant of version ${missing.join(', ')}` } : { variants };
}
