import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { REPOSITORY } from '../paths.ts';

function collect(directory: string, found: Set<string>): Set<string> {
  const file = join(directory, 'tsconfig.json');
  if (found.has(directory) || !existsSync(file)) return found;
  found.add(directory);
  const { references = [] } = JSON.parse(readFileSync(file, 'utf8')) as { references?: { path: string }[] };
  for (const { path } of references) collect(resolve(directory, path), found);
  return found;
}

/** The directories of a service's project and of all that it is built from. */
export const projectsOf = (service: string): ReadonlySet<string> =>
  collect(join(REPOSITORY, 'apps', service), new Set());

/** Changes whenever the compiler has written any of these projects anew. */
export function buildMark(projects: ReadonlySet<string>): string {
  const times = [...projects].map(
    (project) => statSync(join(project, 'dist/.tsbuildinfo'), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return times.join();
}
