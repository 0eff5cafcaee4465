import { asService } from '@gatehouse/contracts-core';
import { ApprovalSettled, ElevationApproved, ElevationExpired, ElevationRevoked } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { type Logger, LOGGER, Periodic } from '@gatehouse/service';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { DeviceCommandsRepository } from '../actuation/device-commands.repository.ts';
import { factOf, type Moved } from '../elevation-requests/elevation-request.view.ts';
import { ExpiryRepository, SWEEP_BATCH } from './expiry.repository.ts';
import { MovedDevicesRepository } from './moved-devices.repository.ts';

const EVERY_MS = 30_000;
const SWEEPER = asService('pam');
const DEVICE_MOVED = 'The device moved to another organisation.';

/** Closes what its time has closed already: every decision checks the clock itself, the sweep makes it visible (decisions, "pending"). */
@Injectable()
export class ExpireElevations implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sweep: Periodic;

  constructor(
    private readonly work: UnitOfWork,
    private readonly expiry: ExpiryRepository,
    private readonly moved: MovedDevicesRepository,
    private readonly commands: DeviceCommandsRepository,
    @Inject(LOGGER) log: Logger,
  ) {
    this.sweep = new Periodic('expire elevations', EVERY_MS, () => this.run(), log);
  }

  onApplicationBootstrap(): void {
    this.sweep.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.sweep.stop();
  }

  async run(): Promise<void> {
    for (const step of [(tx: Tx) => this.release(tx), (tx: Tx) => this.expire(tx), (tx: Tx) => this.revokeOfMoved(tx), (tx: Tx) => this.expireApprovals(tx)]) {
      while ((await this.work.run(SWEEPER, step)) === SWEEP_BATCH);
    }
  }

  private async expire(tx: Tx): Promise<number> {
    const expired = await this.expiry.expire(tx);
    for (const moved of expired) {
      tx.emit(ElevationExpired, factOf(moved, null), { aggregateId: moved.id });
      tx.audit({ ...subjectOf(moved), action: 'pam.elevation_request.expire', details: { flowType: moved.flowType, deviceId: moved.deviceId } });
    }
    return expired.length;
  }

  /** What one organisation granted does not hold in another. */
  private async revokeOfMoved(tx: Tx): Promise<number> {
    const revoked = await this.moved.revoke(tx, DEVICE_MOVED);
    for (const { siteId: _, ...grant } of revoked) {
      const moved = { ...grant, siteId: null };
      await this.commands.cancelActuation(tx, moved.id);
      await this.commands.queueRevocation(tx, moved);
      tx.emit(ElevationRevoked, factOf(moved, null), { aggregateId: moved.id });
      tx.audit({ ...subjectOf(moved), action: 'pam.elevation_request.revoke', details: { reason: DEVICE_MOVED, flowType: moved.flowType, deviceId: moved.deviceId } });
    }
    await this.moved.forwardRevocations(tx);
    return revoked.length;
  }

  private async expireApprovals(tx: Tx): Promise<number> {
    const expired = await this.expiry.expireApprovals(tx);
    for (const approval of expired) tx.emit(ApprovalSettled, { ...approval, siteId: null }, { aggregateId: approval.elevationRequestId });
    return expired.length;
  }

  private async release(tx: Tx): Promise<number> {
    const released = await this.expiry.release(tx);
    for (const moved of released) {
      tx.emit(ElevationApproved, factOf(moved, null), { aggregateId: moved.id });
      tx.audit({ ...subjectOf(moved), action: 'device.elevation.result', result: 'failure', details: { outcome: 'timed_out', deviceId: moved.deviceId } });
    }
    return released.length;
  }
}

const subjectOf = ({ id, deviceHostname, partnerId, orgId, siteId }: Moved) => ({ resource: { type: 'pam.elevation_request', id, name: deviceHostname }, partnerId, orgId, siteId });
