import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse } from '@gatehouse/contracts-tenancy';
import { type Conditions, scoped } from '@gatehouse/database';
import { GROUP_IDS } from '../rows/publish-state.ts';
import { readableBelow } from '../scope/organizations-in-reach.repository.ts';

// The last time the agent was seen, or its enrolment if it was not seen since.
const LAST_SEEN_AT =
  'coalesce((SELECT p.last_seen_at FROM device_presence p WHERE p.device_id = d.id), d.last_seen_at) AS last_seen_at';

/** Statements alias the device table as `d`. */
export const DEVICE_COLUMNS = `d.id, d.org_id, d.site_id, ${GROUP_IDS}, d.hostname, d.display_name, d.os_type, d.os_version, d.agent_version, d.serial_number,
  d.status, ${LAST_SEEN_AT}, d.decommissioned_at, d.created_at, d.updated_at`;

export interface ChangedDevice extends DeviceResponse {
  readonly partnerId: string;
  readonly agentTokenHash: string | null;
  readonly version: number;
}

export const CHANGED_DEVICE = `${DEVICE_COLUMNS}, d.partner_id, d.agent_token_hash, d.version`;

export const deviceView = ({
  partnerId: _,
  agentTokenHash: __,
  version: ___,
  ...device
}: ChangedDevice): DeviceResponse => device;
export const deviceNotFound = (): ProblemError => new ProblemError('device_not_found', 'Device not found.');
export const devicesInReach = (caller: UserCaller): Conditions =>
  scoped(caller.scope, { partner: 'd.partner_id', org: 'd.org_id', site: 'd.site_id' });

/** Condition for reading one device. Below a deleted organisation only the system can read. */
export const deviceInReach = (caller: UserCaller, id: string): Conditions =>
  devicesInReach(caller).add('d.id = ?', id).raw(readableBelow(caller, 'd.org_id'));
