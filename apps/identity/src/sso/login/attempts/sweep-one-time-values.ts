import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { LoginSessionsRepository } from './login-sessions.repository.ts';

const EVERY_MS = 5 * 60_000;

/** Deletes expired rows to save space. Every use checks the expiry itself. */
@Injectable()
export class SweepOneTimeValues {
  constructor(
    private readonly work: UnitOfWork,
    private readonly loginSessionsRepository: LoginSessionsRepository,
  ) {}

  @Every(EVERY_MS, 'sweep of expired sign-in attempts')
  async sweep(): Promise<void> {
    await this.work.background(asService('identity'), (tx) => this.loginSessionsRepository.sweep(tx));
  }
}
