import type { Fleet, Replica } from '@gatehouse/testing/fleet';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sql, until, type World } from './world.ts';

const LOCAL_ADDRESS = 1;
const INODE = 9;

/** Behind the tests' pooler a session is named after the client whose transaction it runs: `app - 127.0.0.1:4711`. */
const CLIENT_PORT = `coalesce(substring(application_name from ':([0-9]+)$')::int, client_port)`;

/** The local ports of a process's connections over IPv4. */
function portsOf(pid: number): Set<number> {
  const links = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      return '';
    }
  });
  const inodes = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  const connections = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
  return new Set(
    connections
      .filter((fields) => inodes.has(fields[INODE] ?? ''))
      .map((fields) => parseInt(fields[LOCAL_ADDRESS]?.split(':')[1] ?? '', 16)),
  );
}

/**
 * Waits until the condition on pg_stat_activity matches a session of the service's database, and freezes the replica
 * that owns the session.
 * @returns that replica
 */
export function freezeWorker(world: World<Fleet>, service: string, condition: string): Promise<Replica> {
  return until(async () => {
    const [session] = await sql<{ port: number }>(
      world,
      service,
      `SELECT ${CLIENT_PORT} AS port FROM pg_stat_activity AS session WHERE datname = current_database()
        AND ${condition}`,
    );
    const worker = session && world.product.replicasOf(service).find(({ pid }) => portsOf(pid).has(session.port));
    worker?.signal('SIGSTOP');
    return worker ?? null;
  }, 60);
}
