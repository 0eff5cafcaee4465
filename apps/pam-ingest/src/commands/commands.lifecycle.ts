import { DeviceChanged } from '@gatehouse/contracts-tenancy';
import { EventBus } from '@gatehouse/messaging';
import { CommandFeed } from '@gatehouse/pam-store';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandWaiters } from './command-waiters.ts';

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
