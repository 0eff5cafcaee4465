import { newId } from '@gatehouse/crypto';
import { serveParent } from './child.ts';
import { measureLightly } from './light-load.ts';
import type { Device } from './tenant.ts';

const [url = '', devices = '[]', perSecond = '0'] = process.argv.slice(2);
const LONG = 30_000;
const FOREVER_SECONDS = 86_400;

/** Every second report has a path that passes the cheap tests of the hostile globs; the others only create requests. */
function bodyOf(turn: number): string {
  const path = turn % 2 === 0 ? `C:\\\\${'az'.repeat(LONG / 2)}` : 'C:\\\\Tools\\\\setup.exe';
  return `{"subject_username":"x","target_executable_path":"${path}","command_line":"${newId()}","observed_at":"${new Date().toISOString()}"}`;
}

const list = JSON.parse(devices) as Device[];
let turn = 0;
const next = (): string => {
  const { id, token } = list[Math.floor(turn / 2) % list.length]!;
  const body = bodyOf(turn++);
  const head = `POST /api/v1/agents/${id}/elevation-requests HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${token}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};
void measureLightly({ url, seconds: FOREVER_SECONDS, connections: list.length, overallRate: Number(perSecond), next });
serveParent({});
