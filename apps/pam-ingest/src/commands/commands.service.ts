import { ProblemError } from '@gatehouse/contracts-core';
import {
  type CommandResultDto,
  type CommandResultResponse,
  ElevationActuated,
  ElevationApproved,
} from '@gatehouse/contracts-pam';
import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import {
  CommandFeed,
  type CommandRecord,
  DeviceCommandsRepository,
  ElevationOutcomesRepository,
} from '@gatehouse/pam-store';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { DeviceCaller } from '../agents/agent-devices.ts';

@Injectable()
export class CommandsService {
  constructor(
    private readonly commands: DeviceCommandsRepository,
    private readonly elevations: ElevationOutcomesRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Records the result of a command (decisions, "out of actuating"): a completed actuation is recorded on the request;
   * a failed one restores the approval while its window lasts. Reporting the same result twice gets the same answer.
   */
  reportResult(caller: DeviceCaller, commandId: string, result: CommandResultDto): Promise<CommandResultResponse> {
    const key = { id: commandId, deviceId: caller.deviceId };
    return this.work.run(caller, async (tx) => {
      const command = await this.commands.finish(tx, key, { status: result.status, detail: result.detail ?? null });
      if (!command) return this.repeated(await this.commands.find(tx, key), result);
      await this.applyTo(tx, caller, command, result);
      return { id: commandId, status: result.status };
    });
  }

  private repeated(command: CommandRecord | null, { status }: CommandResultDto): CommandResultResponse {
    if (!command) throw new ProblemError('command_not_found', 'This device has no such command.');
    if (command.status !== status) throw new ProblemError('conflict', `This command is already ${command.status}.`);
    return { id: command.id, status };
  }

  private async applyTo(
    tx: Tx,
    { device }: DeviceCaller,
    { id, type, elevationRequestId }: CommandRecord,
    { status, detail }: CommandResultDto,
  ): Promise<void> {
    // An outcome informs the agent and changes nothing.
    if (type === 'elevation_outcome') return;
    tx.audit({
      action: 'device.elevation.result',
      resource: { type: 'device_command', id, name: type },
      siteId: device.siteId,
      result: status === 'completed' ? 'success' : 'failure',
      details: { deviceId: device.deviceId, elevationRequestId, type, status, detail: detail ?? null },
    });
    if (type !== 'actuate_elevation' || !elevationRequestId) return;
    const [event, fact] =
      status === 'failed'
        ? [ElevationApproved, await this.elevations.giveBack(tx, elevationRequestId)]
        : [ElevationActuated, await this.elevations.markActuated(tx, elevationRequestId)];
    if (fact)
      tx.emit(event, { ...fact, siteId: device.siteId, actorId: device.deviceId }, { aggregateId: elevationRequestId });
  }
}

/** Long polls of agents that wait for a command. Each device has at most one; a new poll replaces the one before. */
export class CommandWaiters {
  private readonly waiting = new Map<string, (reason: WakeReason) => void>();

  /**
   * Resolves when a command arrives for the device, when a newer poll replaces this one, or after `ms` milliseconds.
   */
  wait(deviceId: string, ms: number): Promise<WakeReason> {
    this.waiting.get(deviceId)?.('superseded');
    return new Promise((resolve) => {
      const wake = (reason: WakeReason): void => {
        clearTimeout(timer);
        if (this.waiting.get(deviceId) === wake) this.waiting.delete(deviceId);
        resolve(reason);
      };
      const timer = setTimeout(() => wake('time'), ms);
      this.waiting.set(deviceId, wake);
    });
  }

  wake(deviceId: string): void {
    this.waiting.get(deviceId)?.('command');
  }

  /** Ends all waits, so that a stopping service keeps no request open. */
  release(): void {
    for (const wake of [...this.waiting.values()]) wake('superseded');
  }
}

export type WakeReason = 'command' | 'time' | 'superseded';

@Injectable()
export class CommandsLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly feed: CommandFeed,
    private readonly waiters: CommandWaiters,
    bus: EventBus,
  ) {
    // A poll whose token was revoked ends at once.
    bus.listen(DeviceChanged, ({ data }) => waiters.wake(data.deviceId));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.feed.start();
  }

  beforeApplicationShutdown(): void {
    this.feed.stop();
    this.waiters.release();
  }
}
