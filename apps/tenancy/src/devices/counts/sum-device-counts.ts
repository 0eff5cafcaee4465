import { asService } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { DeviceCountsRepository } from './device-counts.repository.ts';

const EVERY_MS = 15_000;

/** Keeps exact device totals, so that lists need not count rows. */
@Injectable()
export class SumDeviceCounts {
  constructor(
    private readonly work: UnitOfWork,
    private readonly deviceCountsRepository: DeviceCountsRepository,
  ) {}

  /** Several replicas may run this concurrently. */
  @Every(EVERY_MS, 'device-counts')
  async sum(): Promise<void> {
    await this.work.background(asService('tenancy'), (tx) => this.deviceCountsRepository.sumUp(tx));
  }
}
