import { describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, MetadataScanner, NestFactory } from '@nestjs/core';
import { setTimeout as wait } from 'node:timers/promises';
import { LOGGER } from './observability/logging.ts';
import { Every, PeriodicTasks } from './periodic.ts';
import { ServiceConfig } from './config/service.config.ts';

describe('periodic tasks', () => {
  it('are listed with their intervals', async () => {
    const app = await start();
    expect(app.get(PeriodicTasks).table()).toEqual([
      { name: 'as configured', everySeconds: 86_400 },
      { name: 'long', everySeconds: 0.005 },
      { name: 'often', everySeconds: 0.005 },
    ]);
    await app.close();
  });

  it('run first within ten minutes, also the daily ones of a service that restarts every day', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const app = await start();
    expect(Math.max(...timers.mock.calls.map(([, ms]) => ms ?? 0))).toBe(600_000);
    await app.close();
  });

  it('run again after a failure, one run at a time, and stop with the service', async () => {
    const app = await start();
    const sweeps = app.get(Sweeps);
    await until(() => sweeps.runs > 2);
    expect(failures).toContainEqual(expect.objectContaining({ task: 'often' }));
    await app.close();
    const { runs, underWay, stopped } = sweeps;
    expect({ underWay, stopped }).toEqual({ underWay: 1, stopped: true });
    await wait(4 * EVERY_MS);
    expect(sweeps.runs).toBe(runs);
  });

  const start = (): Promise<INestApplicationContext> =>
    NestFactory.createApplicationContext(SweepsModule, { logger: false });
});

const EVERY_MS = 5;
const failures: unknown[] = [];

class SweepConfig extends ServiceConfig {
  readonly sweepSeconds: number = 86_400;
}

@Injectable()
class Sweeps {
  runs = 0;
  underWay = 0;
  stopped = false;

  @Every(EVERY_MS, 'often')
  async often(): Promise<void> {
    this.runs++;
    if (this.runs === 1) throw new Error('the first run fails');
  }

  @Every(({ sweepSeconds }: SweepConfig) => sweepSeconds * 1000, 'as configured')
  async rarely(): Promise<void> {
    this.runs = Number.NaN;
  }

  @Every(EVERY_MS, 'long')
  async untilStopped(stopping: AbortSignal): Promise<void> {
    this.underWay++;
    while (!stopping.aborted) await wait(1);
    await wait(2 * EVERY_MS);
    this.stopped = true;
  }
}

@Module({
  imports: [DiscoveryModule],
  providers: [
    MetadataScanner,
    PeriodicTasks,
    Sweeps,
    { provide: ServiceConfig, useValue: new SweepConfig() },
    { provide: LOGGER, useValue: { warn: (context: object) => failures.push(context) } },
  ],
})
class SweepsModule {}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await wait(1);
};
