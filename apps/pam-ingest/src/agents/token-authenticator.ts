import type { AgentAuthenticator } from '@gatehouse/auth';
import { type Origin, ProblemError } from '@gatehouse/contracts-core';
import { sha256Hex } from '@gatehouse/crypto';
import type { AgentDevice } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { AgentDevices, type DeviceCaller } from './agent-devices.ts';
import { SeenAgents } from './seen-agents.ts';

function callerOf(device: AgentDevice, tokenHash: string, origin: Origin): DeviceCaller {
  const { deviceId, hostname, partnerId, orgId, siteId } = device;
  return {
    kind: 'agent',
    id: deviceId,
    deviceId,
    hostname,
    partnerId,
    orgId,
    siteId,
    device,
    tokenHash,
    origin,
    scope: { partner: partnerId, orgs: new Set([orgId]), sites: new Set([siteId]) },
  };
}

const endsPrevious = ({ agentTokenHash, previousTokenUntil }: AgentDevice, tokenHash: string): boolean =>
  agentTokenHash === tokenHash && previousTokenUntil !== null && previousTokenUntil.getTime() > Date.now();

/** Authenticates agent tokens. A token is valid while its device, organisation and partner exist. */
@Injectable()
export class TokenAuthenticator implements AgentAuthenticator {
  constructor(
    private readonly devices: AgentDevices,
    private readonly seen: SeenAgents,
  ) {}

  async authenticate(token: string, origin: Origin): Promise<DeviceCaller> {
    const caller = await this.callerNow(sha256Hex(token), origin);
    this.seen.note(caller.deviceId);
    return caller;
  }

  /**
   * Authenticates the same token again after a wait, because the token may have been revoked or the device
   * moved to another organisation.
   */
  again({ tokenHash, origin }: DeviceCaller): Promise<DeviceCaller> {
    return this.callerNow(tokenHash, origin);
  }

  private async callerNow(tokenHash: string, origin: Origin): Promise<DeviceCaller> {
    const device = await this.devices.byTokenHash(tokenHash);
    if (!device && (await this.devices.isReplaced(tokenHash))) this.seen.tokenReused(tokenHash, origin);
    if (!device || device.orgDeleted || device.partnerDeleted)
      throw new ProblemError('token_invalid', 'The agent token is not valid.');
    if (device.status === 'decommissioned') throw new ProblemError('device_inactive', 'This device is decommissioned.');
    if (device.status === 'awaiting_confirmation')
      throw new ProblemError(
        'device_awaiting_confirmation',
        'This machine is awaiting an administrator’s confirmation that it is the existing device.',
      );
    if (endsPrevious(device, tokenHash)) {
      this.devices.endPrevious(device);
      this.seen.tokenUsed(tokenHash);
    }
    return callerOf(device, tokenHash, origin);
  }
}
