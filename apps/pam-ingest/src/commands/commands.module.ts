import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { RequestConnections } from '@gatehouse/database';
import { EventBus } from '@gatehouse/messaging';
import { CommandFeed, DeviceCommandsRepository, ElevationOutcomesRepository } from '@gatehouse/pam-store';
import { type BeforeApplicationShutdown, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandWaiters } from './command-waiters.ts';
import { CommandsController } from './commands.controller.ts';
import { ReportResult } from './report-result.ts';
import { ClaimCommands } from './claim-commands.ts';

const feed = {
  provide: CommandFeed,
  useFactory: (connections: RequestConnections, waiters: CommandWaiters) =>
    new CommandFeed(connections, (deviceId) => waiters.wake(deviceId)),
  inject: [RequestConnections, CommandWaiters],
};

@Module({
  controllers: [CommandsController],
  providers: [DeviceCommandsRepository, ElevationOutcomesRepository, CommandWaiters, feed, ClaimCommands, ReportResult],
})
export class CommandsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
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
