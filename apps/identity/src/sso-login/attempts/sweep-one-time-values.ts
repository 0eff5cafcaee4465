import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { LOGGER, type Logger, Periodic } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LoginSessionsRepository } from './login-sessions.repository.ts';

const EVERY_MS = 5 * 60_000;

/** Deletes expired rows to save space. Every use checks the expiry itself. */
@Injectable()
export class SweepOneTimeValues implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly periodic: Periodic;

  constructor(work: UnitOfWork, attempts: LoginSessionsRepository, @Inject(LOGGER) log: Logger) {
    this.periodic = new Periodic(
      'sweep of expired sign-in attempts',
      EVERY_MS,
      () => work.background(asService('identity'), (tx) => attempts.sweep(tx)),
      log,
    );
  }

  onApplicationBootstrap(): void {
    this.periodic.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.periodic.stop();
  }
}
