import { rmSync } from 'node:fs';
import { dropRunDatabases, keptBacking } from './backing.ts';

export default async function stopTestBacking(): Promise<void> {
  const kept = keptBacking();
  if (kept === undefined) return;
  await Promise.all(kept.guests.map((end) => end()));
  await dropRunDatabases();
  await kept.pooler?.stop();
  await kept.backing.stop();
  rmSync(kept.directory, { recursive: true, force: true });
}
