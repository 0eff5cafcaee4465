import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { UnitOfWork } from '@gatehouse/database';
import { type ClaimedCommand, DeviceCommandsRepository } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import type { DeviceCaller, TokenAuthenticator } from '../agents/token-authenticator.ts';
import { CommandWaiters } from './command-waiters.ts';

/**
 * A waiting poll queries its commands at this interval even without a notification, which bounds the delay when a
 * notification is lost.
 */
const LOOK_AGAIN_MS = 5_000;

/**
 * Long poll: returns the device's open commands, or waits for one if there is none (decisions, "commands"). No database
 * connection is held during the wait.
 */
@Injectable()
export class ClaimCommands {
  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly work: UnitOfWork,
    private readonly waiters: CommandWaiters,
    @Inject(AGENT_AUTHENTICATOR) private readonly agents: TokenAuthenticator,
  ) {}

  /** @throws ProblemError token_invalid, device_inactive when the agent would not be let in any more */
  async execute(caller: DeviceCaller, waitSeconds: number): Promise<ClaimedCommand[]> {
    const until = performance.now() + waitSeconds * 1000;
    for (let looks = 0; ; looks++) {
      const remaining = until - performance.now();
      // Starts waiting before the query, so that a command inserted between the two is not missed.
      const woken = remaining > 0 ? this.waiters.wait(caller.deviceId, Math.min(remaining, LOOK_AGAIN_MS)) : null;
      const agent = looks === 0 ? caller : await this.agents.again(caller);
      const commands = await this.work.run(agent, (tx) => this.commands.claim(tx, agent.deviceId));
      if (commands.length > 0 || !woken) return commands;
      if ((await woken) === 'superseded') return [];
    }
  }
}
