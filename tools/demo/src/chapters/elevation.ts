import { promptNumber, type Prompt } from '@gatehouse/agent-sim';
import { type Device, settled, type Tenant, type Tour } from '../journey.ts';
import { list, text, type ProductClient } from '../product-client.ts';

const BANNED_HASH = 'b'.repeat(64);
const SECRET_PATH = 'C:\\Users\\Public\\Downloads\\printer-setup.exe';

export async function rules({ journey }: Tour, admin: ProductClient, { orgId }: Tenant): Promise<void> {
  journey.chapter('Policy: what may run without asking, what never, what is not worth a word');
  const rule = (name: string, verdict: string, criteria: object) => () =>
    admin.post('/pam/rules', { orgId, name, verdict, ...criteria });
  const shown = { shows: ['rule.priority', 'rule.verdict'] };
  await journey.step(
    '7-Zip is approved by its path',
    201,
    rule('7-Zip', 'auto_approve', {
      priority: 10,
      matchPathGlob: 'C:/Program Files/7-Zip/*.exe',
      approvalDurationMinutes: 30,
    }),
    { ...shown, settles: true },
  );
  await journey.step(
    'a known bad file is denied by its hash',
    201,
    rule('Bad file', 'auto_deny', { priority: 5, matchHash: BANNED_HASH }),
    shown,
  );
  await journey.step(
    "the system's own tools are ignored by their signer",
    201,
    rule('System tools', 'ignore', { priority: 20, matchSigner: 'Microsoft Windows' }),
    shown,
  );
  await journey.step('a rule without a criterion is refused', 400, rule('Nothing', 'auto_approve', {}), {
    shows: ['code'],
  });
  await journey.step('all else waits for a person', 200, () => admin.get(`/pam/config?orgId=${orgId}`), {
    shows: ['config.defaultUnmatchedVerdict'],
    holds: (body) => text(body, 'config.defaultUnmatchedVerdict') === 'require_approval',
  });
}

async function reports({ journey }: Tour, { agent }: Device): Promise<string> {
  const report = async (title: string, expected: string, prompt: Prompt): Promise<string> => {
    let id = '';
    await journey.check(title, async () => {
      const answer = await settled(
        () => agent.report(prompt).catch((error: unknown) => ({ id: null, status: String(error) })),
        ({ status }) => !status.startsWith('Error'),
      );
      if (answer.status !== expected) throw new Error(`expected ${expected}, got ${answer.status}`);
      id = answer.id ?? '';
      return [answer.status, id].join('  ');
    });
    return id;
  };
  await report('the agent reports 7-Zip', 'auto_approved', promptNumber(0));
  await report('… the bad file', 'denied', promptNumber(1, { target_executable_hash: BANNED_HASH }));
  await report('… the management console', 'ignored', promptNumber(2));
  const printer = promptNumber(1, { target_executable_path: SECRET_PATH, reason: 'I need the new printer' });
  const pending = await report('… a printer set-up that no rule knows', 'pending', printer);
  await journey.check('the same report again is recognised', async () => {
    const again = await agent.report(printer);
    if (again.id !== pending) throw new Error(`another request was made: ${again.id ?? ''}`);
    return 'same id';
  });
  return pending;
}

async function pushArrives({ journey, settings }: Tour, inbox: string, requestId: string): Promise<void> {
  await journey.check("the technician's phone rings: an approval is pushed, without path or user name", async () => {
    const read = async () =>
      (await (await fetch(`${settings.identityProviderUrl}${inbox}`)).json()) as { body: string }[];
    const [push] = await settled(read, (received) => received.length > 0);
    if (!push) throw new Error('nothing was delivered');
    if (/printer-setup|ACME/i.test(push.body)) throw new Error(`the push tells too much: ${push.body}`);
    return push.body.slice(0, 100).concat(push.body.includes(requestId) ? '' : ' …');
  });
}

/** A pending request is pushed, approved, actuated, obeyed and revoked. */
export async function elevation(tour: Tour, technician: ProductClient, device: Device): Promise<void> {
  const { journey, run, settings } = tour;
  journey.chapter('The agent reports prompts, a technician decides');
  const inbox = `/inbox/${run}`;
  await journey.step('the technician subscribes a webhook to approvals', 201, () =>
    technician.post('/push-subscriptions', { kind: 'webhook', endpoint: `${settings.identityProviderUrl}${inbox}` }),
  );
  const requestId = await reports(tour, device);
  await pushArrives(tour, inbox, requestId);
  await journey.step(
    "the approval is on the technician's list",
    200,
    () => technician.get('/approvals?status=pending'),
    { holds: (body) => JSON.stringify(body).includes(requestId), settles: true },
  );
  const respond = () =>
    technician.post(`/pam/elevation-requests/${requestId}/respond`, {
      decision: 'approve',
      reason: 'Known printer',
      durationMinutes: 10,
    });
  await journey.step('the technician approves for ten minutes', 200, respond, { shows: ['status'], settles: true });
  await journey.step('a decision is made once', 409, respond, { shows: ['code'] });
  await actuation(tour, technician, device, requestId);
}

async function actuation(
  { journey }: Tour,
  technician: ProductClient,
  { agent, deviceId }: Device,
  requestId: string,
): Promise<void> {
  journey.chapter('The agent acts, until the window is closed');
  await journey.step('the window is open', 200, () => technician.get('/pam/active'), {
    holds: (body) => list(body, 'active').some((row) => row['id'] === requestId),
  });
  const actuate = () => technician.post(`/devices/${deviceId}/actuate-elevation`, { elevationRequestId: requestId });
  await journey.step('the technician lets the prompt through', 201, actuate, { shows: ['status'] });
  await journey.step('which can be done once', 409, actuate, { shows: ['code'] });
  /** The agent takes its commands in order; it also learns the outcome of its request. */
  const obeys = (type: string) => async () => {
    const taken = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      taken.push(...(await agent.poll(20)));
      const command = taken.find((one) => one.type === type);
      if (command) return `${Object.keys(command.payload).join(', ')}: no credential`;
    }
    throw new Error(`expected ${type}, got ${JSON.stringify(taken)}`);
  };
  await journey.check('the agent picks the command up and reports that it is done', obeys('actuate_elevation'));
  await journey.step(
    'the elevation is revoked early',
    200,
    () => technician.post(`/pam/elevation-requests/${requestId}/revoke`, { reason: 'Printer works' }),
    { shows: ['status'] },
  );
  await journey.check('and the agent is told', obeys('revoke_elevation'));
  await journey.step('the record shows it', 200, () => technician.get(`/pam/elevation-requests?deviceId=${deviceId}`), {
    shows: ['pagination.total'],
    holds: (body) =>
      list(body, 'requests').some(
        (row) => row['id'] === requestId && row['status'] === 'revoked' && row['decisionSource'] === 'human',
      ),
  });
}
