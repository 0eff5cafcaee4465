import { newId, randomToken, sha256Hex } from '@gatehouse/crypto';
import { type Client, TestService } from '@gatehouse/testing';
import type { PamIngestConfig } from '../src/pam-ingest.config.ts';
import { pamIngestService } from '../src/service.ts';

export type Ingest = TestService<PamIngestConfig>;

export const startIngest = (options: Parameters<typeof TestService.start>[1] = {}): Promise<Ingest> =>
  TestService.start(pamIngestService, { ...options, env: { RATE_LIMITS: 'agentReport=100000/1', ...options.env } });

export interface TestDevice {
  readonly id: string;
  readonly token: string;
  readonly partnerId: string;
  readonly orgId: string;
  readonly siteId: string;
}

/** A device of an organisation of its own, unless `overrides` name another. */
export async function aDevice(
  ingest: Ingest,
  overrides: Partial<TestDevice> & { status?: string; orgStatus?: string } = {},
): Promise<TestDevice> {
  const { status = 'online', orgStatus = 'active', ...ids } = overrides;
  const device = {
    id: newId(),
    token: `gha_${randomToken()}`,
    partnerId: newId(),
    orgId: newId(),
    siteId: newId(),
    ...ids,
  };
  await ingest.sql(
    `INSERT INTO org_ref (org_id, partner_id, name, status, deleted, version) VALUES ($1, $2, 'Org', $3, false, 1)
      ON CONFLICT DO NOTHING`,
    [device.orgId, device.partnerId, orgStatus],
  );
  await ingest.sql(
    `INSERT INTO device_ref (device_id, partner_id, org_id, site_id, group_ids, hostname, status, agent_token_hash,
      deleted, version) VALUES ($1, $2, $3, $4, '{}', 'pc-1', $5, $6, false, 1)`,
    [device.id, device.partnerId, device.orgId, device.siteId, status, sha256Hex(device.token)],
  );
  return device;
}

/** A granted request of the device, as the control plane or a report stored it. */
export async function aGrant(
  ingest: Ingest,
  { id: deviceId, partnerId, orgId }: TestDevice,
  status = 'actuating',
): Promise<string> {
  const id = newId();
  await ingest.sql(
    `INSERT INTO elevation_requests (id, partner_id, org_id, device_id, device_hostname, device_version, flow_type,
      status, decided_at, expires_at)
      VALUES ($1, $2, $3, $4, 'pc', 1, 'uac_intercept', $5, now(), now() + interval '5 minutes')`,
    [id, partnerId, orgId, deviceId, status],
  );
  return id;
}

/** What ends or withholds the grants of a device from one moment to the next, and what its agent is told then. */
export const WITHDRAWALS: readonly (readonly [string, string, string])[] = [
  ['was revoked', `UPDATE elevation_requests SET status = 'revoked' WHERE device_id = $1`, 'revoked'],
  ['has expired', `UPDATE elevation_requests SET expires_at = now() WHERE device_id = $1`, 'expired'],
  ...(['device', 'site', 'organization', 'partner'] as const).map(
    (level) =>
      [
        `is under a freeze of its ${level}`,
        `INSERT INTO pam_freezes (id, partner_id, org_id, level, target_id, mode, reason, created_by, created_by_name, done,
          asked)
         SELECT gen_random_uuid(), partner_id, ${level === 'partner' ? 'NULL' : 'org_id'}, '${level}', ${level === 'organization' ? 'org' : level}_id, 'lockdown',
           'x', device_id, 'x', true, true FROM device_ref WHERE device_id = $1`,
        'pending',
      ] as const,
  ),
  [
    'is about to be ended by a hold',
    `INSERT INTO pam_freezes (id, partner_id, org_id, level, target_id, mode, reason, created_by, created_by_name, done, asked)
     SELECT gen_random_uuid(), partner_id, org_id, 'device', device_id, 'hold', 'x', device_id, 'x', false, true
       FROM device_ref WHERE device_id = $1`,
    'pending',
  ],
];

/** A command queued to the device, as the control plane queues it; `untold` without the notification. */
export async function aCommand(
  ingest: Ingest,
  device: TestDevice,
  overrides: { status?: string; elevationRequestId?: string; expired?: boolean; untold?: boolean; type?: string } = {},
): Promise<string> {
  const id = newId();
  const request = overrides.elevationRequestId ?? (await aGrant(ingest, device));
  await ingest.sql(
    `INSERT INTO device_commands (id, partner_id, org_id, device_id, type, elevation_request_id, payload, status,
      expires_at)
     SELECT $1, $2, $3, $4, $10, $5, $6, $7, now() + ($8 || ' seconds')::interval
       FROM set_config('session_replication_role', $9, true)`,
    [
      id,
      device.partnerId,
      device.orgId,
      device.id,
      request,
      { elevationRequestId: request, timeoutMs: 8000 },
      overrides.status ?? 'queued',
      overrides.expired ? '-1' : '60',
      overrides.untold ? 'replica' : 'origin',
      overrides.type ?? 'actuate_elevation',
    ],
  );
  return id;
}

export interface RuleColumns {
  readonly [column: string]: unknown;
}

/** A rule written as the control plane writes it: with the next version of the rulebook. */
export async function aRule(ingest: Ingest, { orgId, partnerId }: TestDevice, columns: RuleColumns): Promise<string> {
  const row: RuleColumns = {
    id: newId(),
    partner_id: partnerId,
    org_id: orgId,
    name: 'rule',
    verdict: 'auto_approve',
    ...columns,
  };
  const names = Object.keys(row);
  await ingest.sql(
    `
    WITH rule AS (INSERT INTO pam_rules (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')}))
    INSERT INTO rulebook_versions AS v (org_id, partner_id, version) VALUES ('${orgId}', '${partnerId}', 2)
      ON CONFLICT (org_id) DO UPDATE SET version = v.version + 1`,
    Object.values(row),
  );
  return String(row['id']);
}

let minute = 0;
export const aReport = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  subject_username: 'CORP\\ann',
  target_executable_path: 'C:\\Tools\\setup.exe',
  target_executable_hash: 'A'.repeat(64),
  target_executable_signer: 'Acme Corp',
  pid: 4242,
  parent_image: 'C:\\Windows\\explorer.exe',
  command_line: 'setup.exe /S',
  observed_at: new Date(Date.UTC(2026, 0, 1) + minute++ * 60_000).toISOString(),
  ...overrides,
});

export const report = (client: Client, deviceId: string, body: object = aReport()): ReturnType<Client['post']> =>
  client.post(`/agents/${deviceId}/elevation-requests`).send(body);
