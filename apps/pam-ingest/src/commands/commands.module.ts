import { CommandFeed, DeviceCommandsRepository, ElevationOutcomesRepository } from '@gatehouse/pam-store';
import { REQUEST_DATA_SOURCE } from '@gatehouse/service';
import { type BeforeApplicationShutdown, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandWaiters } from './command-waiters.ts';
import { CommandsController } from './commands.controller.ts';
import { ReportResult } from './report-result.ts';
import { ClaimCommands } from './claim-commands.ts';

type Requests = ConstructorParameters<typeof CommandFeed>[0];
const feed = {
  provide: CommandFeed,
  useFactory: (requests: Requests, waiters: CommandWaiters) =>
    new CommandFeed(requests, (deviceId) => waiters.wake(deviceId)),
  inject: [REQUEST_DATA_SOURCE, CommandWaiters],
};

@Module({
  controllers: [CommandsController],
  providers: [DeviceCommandsRepository, ElevationOutcomesRepository, CommandWaiters, feed, ClaimCommands, ReportResult],
})
export class CommandsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly feed: CommandFeed,
    private readonly waiters: CommandWaiters,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.feed.start();
  }

  beforeApplicationShutdown(): void {
    this.feed.stop();
    this.waiters.release();
  }
}
