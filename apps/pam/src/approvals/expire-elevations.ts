import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import { SsoProviderChanged, type SsoProviderState } from '@gatehouse/contracts-identity';
import { ApprovalSettled, ElevationApproved, ElevationExpired, ElevationRevoked } from '@gatehouse/contracts-pam';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import { notifyRequester } from '../requests/notify-requester.ts';
import { CommandQueueRepository } from '../requests/command-queue.repository.ts';
import { ApprovalQuestionsRepository } from './approval-questions.repository.ts';
import { factOf, type TransitionedRequest, requestDetailsOf } from '../requests/transitioned-request.ts';
import { ExpiryRepository, SWEEP_BATCH } from './expiry.repository.ts';
import { MovedDevicesRepository } from './moved-devices.repository.ts';
import { VotesRepository } from './votes.repository.ts';

const EVERY_MS = 30_000;
const SWEEPER = asService('pam');
const DEVICE_RETIRED = 'The device was decommissioned.';
const DEVICE_MOVED = 'The device moved to another organisation.';
const PROVIDER_ENDED = 'The identity provider of its requester no longer signs them in.';

/**
 * The sweep that stores expiries. Every decision checks the clock itself; the sweep makes the expiry visible
 * (decisions, "pending").
 */
@Injectable()
export class ExpireElevations {
  constructor(
    private readonly work: UnitOfWork,
    private readonly expiry: ExpiryRepository,
    private readonly movedDevices: MovedDevicesRepository,
    private readonly commandQueue: CommandQueueRepository,
    private readonly approvalQuestions: ApprovalQuestionsRepository,
    private readonly votes: VotesRepository,
  ) {}

  /**
   * Votes that sessions of an identity provider gave for requests that still wait, and the requests and grants of such
   * sessions, end when the provider is switched off or deleted, and when their user's link there ends (PAM-357, PAM-370).
   */
  @Consumes(SsoProviderChanged)
  async endOfProvider(tx: Tx, { data }: EventEnvelope<SsoProviderState>): Promise<void> {
    const { providerId, status, deleted, allUnlinked, unlinkedUserId } = data;
    const ofAll = deleted || status !== 'active' || allUnlinked;
    if (!ofAll && !unlinkedUserId) return;
    const userId = ofAll ? null : (unlinkedUserId ?? null);
    await this.votes.voidOfProvider(tx, providerId, userId);
    const grants = await this.expiry.endOfProvider(tx, providerId, userId, PROVIDER_ENDED);
    await this.noteRevoked(tx, grants, PROVIDER_ENDED);
  }

  @Every(EVERY_MS, 'expire elevations')
  async run(): Promise<void> {
    const steps = [
      (tx: Tx) => this.release(tx),
      (tx: Tx) => this.expire(tx),
      (tx: Tx) => this.revokeOfMoved(tx),
      (tx: Tx) => this.revokeOfRetired(tx),
      (tx: Tx) => this.expireOfRetired(tx),
      (tx: Tx) => this.expireApprovals(tx),
    ];
    for (const step of steps) while ((await this.work.background(SWEEPER, step)) === SWEEP_BATCH);
  }

  private async expire(tx: Tx): Promise<number> {
    return noteExpired(tx, await this.expiry.expire(tx));
  }

  private async expireOfRetired(tx: Tx): Promise<number> {
    return noteExpired(tx, await this.expiry.expireOfRetired(tx));
  }

  /** Revokes grants on devices that have moved: a grant holds only in the organisation that gave it. */
  private async revokeOfMoved(tx: Tx): Promise<number> {
    const moved = await this.movedDevices.revoke(tx, DEVICE_MOVED);
    await this.noteRevoked(
      tx,
      moved.map((grant) => ({ ...grant, siteId: null })),
      DEVICE_MOVED,
    );
    await this.movedDevices.forwardRevocations(tx);
    return moved.length;
  }

  private async revokeOfRetired(tx: Tx): Promise<number> {
    const grants = await this.expiry.revokeOfRetired(tx, DEVICE_RETIRED);
    await this.noteRevoked(tx, grants, DEVICE_RETIRED);
    return grants.length;
  }

  private async noteRevoked(tx: Tx, grants: readonly TransitionedRequest[], reason: string): Promise<void> {
    for (const grant of grants) {
      await this.commandQueue.cancelActuation(tx, grant.id);
      await this.commandQueue.queueRevocation(tx, grant);
      tx.emit(ElevationRevoked, factOf(grant, null), { aggregateId: grant.id });
      notifyRequester(tx, grant);
      tx.audit({
        ...subjectOf(grant),
        action: 'pam.elevation_request.revoke',
        details: { reason, ...requestDetailsOf(grant) },
      });
    }
  }

  private async expireApprovals(tx: Tx): Promise<number> {
    const expired = await this.expiry.expireApprovals(tx);
    for (const { deviceId: _, ...approval } of expired)
      tx.emit(ApprovalSettled, { ...approval, siteId: null }, { aggregateId: approval.elevationRequestId });
    await this.approvalQuestions.forgetEnded(tx);
    await this.approvalQuestions.unpark(
      tx,
      expired.flatMap(({ deviceId }) => deviceId ?? []),
    );
    return expired.length;
  }

  private async release(tx: Tx): Promise<number> {
    const released = await this.expiry.release(tx);
    for (const moved of released) {
      tx.emit(ElevationApproved, factOf(moved, null), { aggregateId: moved.id });
      tx.audit({
        ...subjectOf(moved),
        action: 'device.elevation.result',
        result: 'failure',
        details: { outcome: 'timed_out', deviceId: moved.deviceId },
      });
    }
    return released.length;
  }
}

const subjectOf = ({ id, deviceHostname, partnerId, orgId, siteId }: TransitionedRequest) => ({
  resource: { type: 'pam.elevation_request', id, name: deviceHostname },
  partnerId,
  orgId,
  siteId,
});

function noteExpired(tx: Tx, expired: readonly TransitionedRequest[]): number {
  for (const moved of expired) {
    tx.emit(ElevationExpired, factOf(moved, null), { aggregateId: moved.id });
    notifyRequester(tx, moved);
    tx.audit({ ...subjectOf(moved), action: 'pam.elevation_request.expire', details: requestDetailsOf(moved) });
  }
  return expired.length;
}
