import { createConnection } from 'node:net';
import { CLIENT_ADDRESS } from './recorder.ts';
import { type Stage, unique } from './stage.ts';

/** A text that starts a new line, colours the terminal and ends a line for JavaScript. */
export const HOSTILE = 'x\r\n{"level":"fatal","message":"FORGED"}\n\u001b[31m\u2028\u2029';
const TOO_LONG = 'y'.repeat(64 * 1024);
export const LONG_USER_AGENT = `hostile/${'z'.repeat(3_000)}`;

/** Sends a header unchanged, which an HTTP library would not do. @returns the status line of the answer */
function sendRaw(baseUrl: string, head: string[], body: string): Promise<string> {
  const { port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = createConnection(Number(port), 'localhost', () =>
      socket.write(
        `${[...head, 'host: localhost', 'connection: close', `content-length: ${Buffer.byteLength(body)}`, 'content-type: application/json'].join('\r\n')}\r\n\r\n${body}`,
      ),
    );
    socket
      .setEncoding('utf8')
      .on('data', (text: string) => (answer += text))
      .on('end', () => resolve(answer.split('\r\n')[0] ?? ''))
      .on('error', reject);
  });
}

/** Sends texts that would forge log lines, in every field that a client may write. */
export async function hostileTexts(stage: Stage): Promise<void> {
  const { log, agent, boss, anonymous, tenant, world } = stage;
  const report = {
    subject_username: `ACME\\${HOSTILE}`,
    target_executable_path: `C:\\${HOSTILE}.exe`,
    reason: HOSTILE,
    observed_at: new Date().toISOString(),
  };
  await log.send('POST /agents/{id}/elevation-requests', {
    as: agent,
    params: { id: tenant.deviceId },
    body: report,
    told: [],
    status: 'any',
  });
  await log.send('POST /auth/login', {
    as: anonymous,
    body: { email: `${HOSTILE}@example.test`, password: HOSTILE },
    told: [],
    status: 'refused',
  });
  await log.send('POST /pam/elevation-requests/{id}/respond', {
    as: boss,
    params: { id: encodeURIComponent(HOSTILE) },
    body: { decision: HOSTILE, reason: TOO_LONG },
    told: [],
    status: 'refused',
  });
  for (const name of [HOSTILE, TOO_LONG])
    await log.send('POST /orgs/sites', {
      as: boss,
      body: { orgId: tenant.orgId, name: unique(name) },
      told: [],
      status: 'any',
    });
  const login = JSON.stringify({ email: 'nobody@example.test', password: 'not the password' });
  for (const userAgent of [`a\u001b[31mFORGED`, TOO_LONG])
    await sendRaw(world.product.baseUrl, ['POST /api/v1/auth/login HTTP/1.1', `user-agent: ${userAgent}`], login);
}

/** Sends a long user agent that the product accepts. @returns the id of the request that carried it */
export async function longUserAgent({ world }: Stage): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': LONG_USER_AGENT,
    'x-forwarded-for': CLIENT_ADDRESS,
  };
  const answer = await fetch(`${world.product.baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email: 'nobody@example.test', password: 'not the password' }),
  });
  return answer.headers.get('x-request-id') ?? '';
}
