import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { imagesIn } from './binary-headers.mjs';
import { librariesOf } from './debian.mjs';
import { comesWith } from './unpacked-tree.mjs';

// The libraries that a server of Debian needs, as its launcher would look for them: by the name of their package.

function ownImage(path, { system, arch }) {
  return imagesIn(readFileSync(path)).find((image) => image.system === system && image.arch === arch);
}

const hasPackage = (root, name) => existsSync(join(root, 'usr/share/doc', name));

/**
 * Follows what a program needs through the tree of its packages.
 * @param packageNames the names under which the launcher looks for the package of a library
 */
export function closureOf(root, program, platform, packageNames) {
  const queue = [join(root, program)];
  const reached = new Set(queue);
  const faults = [];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const image = existsSync(path) ? ownImage(path, platform) : undefined;
    if (image === undefined) faults.push(`${path.slice(root.length + 1)} is missing, or for another processor`);
    for (const need of image?.needs ?? []) {
      const next = join(librariesOf(root), need);
      if (reached.has(next)) continue;
      reached.add(next);
      queue.push(next);
      if (!comesWith(need) && !packageNames(need).some((name) => hasPackage(root, name)))
        faults.push(`${need} is in none of ${packageNames(need).join(', ')}`);
    }
  }
  return { count: reached.size - 1, faults };
}
