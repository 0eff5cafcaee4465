import { AGENT_AUTHENTICATOR } from '@gatehouse/auth';
import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { type Claim, type ClaimedCommand, CommandFeed, DeviceCommandsRepository } from '@gatehouse/pam-store';
import { Inject, Injectable } from '@nestjs/common';
import type { DeviceCaller } from '../agents/agent-devices.ts';
import { batchedReads } from '../agents/micro-batch.ts';
import type { TokenAuthenticator } from '../agents/token-authenticator.ts';
import { CommandWaiters, type WakeReason } from './commands.service.ts';

/**
 * A waiting poll queries its commands at this interval while it cannot rely on notifications: PostgreSQL does not tell
 * this instance, or a command of the device is open and may become due again.
 */
const LOOK_AGAIN_MS = 5_000;

/**
 * Long poll: returns the device's open commands, or waits for one if there is none (decisions, "commands"). No database
 * connection is held during the wait.
 */
@Injectable()
export class ClaimCommands {
  private readonly looks = batchedReads((deviceIds: readonly string[]) => this.haveOpen(deviceIds));

  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly work: UnitOfWork,
    private readonly waiters: CommandWaiters,
    private readonly feed: CommandFeed,
    @Inject(AGENT_AUTHENTICATOR) private readonly agents: TokenAuthenticator,
  ) {}

  /** @throws ProblemError token_invalid, device_inactive when the agent would not be let in any more */
  async claim(caller: DeviceCaller, waitSeconds: number): Promise<ClaimedCommand[]> {
    const until = performance.now() + waitSeconds * 1000;
    let reason: WakeReason | null = null;
    for (;;) {
      const { session } = this.feed;
      // Starts waiting before the query, so that a command inserted between the two is not missed.
      const woken = this.wait(caller, until);
      const agent = reason ? await this.agents.again(caller) : caller;
      const { commands, hasOpen } = await this.claimOpen(agent);
      if (commands.length > 0 || !woken) return commands;
      // A command of which this poll was told may not be visible yet, because its device is just being moved.
      const isSettled = session !== null && !hasOpen && reason !== 'command';
      const isQuiet = (): boolean => isSettled && session === this.feed.session;
      reason = await this.reasonToLook(woken, isQuiet, () => this.wait(caller, until));
      if (!reason || reason === 'superseded') return [];
    }
  }

  /** Nearly every poll finds nothing: one look for many of them spares each a transaction. */
  private async claimOpen(agent: DeviceCaller): Promise<Claim> {
    if (!(await this.looks.submit(agent.deviceId))) return { commands: [], hasOpen: false };
    return this.work.run(agent, (tx) => this.commands.claim(tx, agent.deviceId));
  }

  private async haveOpen(deviceIds: readonly string[]): Promise<boolean[]> {
    const open = await this.work.backgroundRead(asService('pam-ingest'), (reader) =>
      this.commands.withOpen(reader, deviceIds),
    );
    return deviceIds.map((deviceId) => open.has(deviceId));
  }

  private wait({ deviceId }: DeviceCaller, until: number): Promise<WakeReason> | null {
    const remaining = until - performance.now();
    return remaining > 0 ? this.waiters.wait(deviceId, Math.min(remaining, LOOK_AGAIN_MS)) : null;
  }

  /** Waits on while it is quiet. Null when the time is over. */
  private async reasonToLook(
    first: Promise<WakeReason>,
    isQuiet: () => boolean,
    next: () => Promise<WakeReason> | null,
  ): Promise<WakeReason | null> {
    for (let woken: Promise<WakeReason> | null = first; woken; woken = next()) {
      const reason = await woken;
      if (reason !== 'time' || !isQuiet()) return reason;
    }
    return null;
  }
}
