import { asService, type EventEnvelope } from '@gatehouse/contracts-core';
import {
  SsoProviderChanged,
  type SsoProviderState,
  TechnicianChanged,
  type TechnicianState,
} from '@gatehouse/contracts-identity';
import {
  ApprovalSettled,
  ElevationApproved,
  ElevationExpired,
  ElevationRevoked,
  ElevationTaken,
} from '@gatehouse/contracts-pam';
import { noteProviderEnd, type Tx, UnitOfWork } from '@gatehouse/database';
import { Consumes, ConsumesTogether } from '@gatehouse/messaging';
import { Every } from '@gatehouse/service';
import { Injectable } from '@nestjs/common';
import {
  factOf,
  notifyRequester,
  requestDetailsOf,
  type TransitionedRequest,
} from '../requests/transitioned-request.ts';
import { CommandQueueRepository } from '../requests/command-queue.repository.ts';
import { ApprovalQuestionsRepository } from './approval-questions.repository.ts';
import { ExpiryRepository, SWEEP_BATCH } from './expiry.repository.ts';
import { VotesRepository } from './votes.repository.ts';

const EVERY_MS = 30_000;
const SWEEPER = asService('pam');
const DEVICE_RETIRED = 'The device was decommissioned.';
const DEVICE_MOVED = 'The device moved to another organisation.';
const REQUESTER_LEFT = 'The user who requested it may no longer request it there.';
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
    private readonly commandQueue: CommandQueueRepository,
    private readonly approvalQuestions: ApprovalQuestionsRepository,
    private readonly votes: VotesRepository,
  ) {}

  /**
   * Votes that sessions of an identity provider gave for requests that still wait, and the requests and grants of such
   * sessions, end when the provider is switched off or deleted, and when their user's link ends (PAM-357, PAM-370).
   */
  @Consumes(SsoProviderChanged)
  async endOfProvider(tx: Tx, { data }: EventEnvelope<SsoProviderState>): Promise<void> {
    const userId = await noteProviderEnd(tx, data);
    if (userId === undefined) return;
    await this.votes.voidOfProvider(tx, data.providerId, userId);
    const grants = await this.expiry.endOfProvider(tx, data.providerId, userId, PROVIDER_ENDED);
    await this.noteRevoked(tx, grants, PROVIDER_ENDED);
  }

  /**
   * What people requested for themselves ends with their right to act there (PAM-390), and so does that they look at a
   * request (PAM-382); the sweep ends what is left.
   */
  @ConsumesTogether(TechnicianChanged)
  async endOfTechnicians(tx: Tx, events: EventEnvelope<TechnicianState>[]): Promise<void> {
    const userIds = events.map(({ data }) => data.userId);
    await this.noteRevoked(tx, await this.expiry.sweep(tx, 'revokeOfChanged', REQUESTER_LEFT, userIds), REQUESTER_LEFT);
    noteExpired(tx, await this.expiry.sweep(tx, 'expireOfChanged', userIds));
    noteReleased(tx, await this.expiry.sweep(tx, 'releaseOfChanged', userIds));
  }

  @Every(EVERY_MS, 'expire elevations')
  async run(): Promise<void> {
    const steps = [
      (tx: Tx) => this.release(tx),
      async (tx: Tx) => noteExpired(tx, await this.expiry.sweep(tx, 'expire')),
      (tx: Tx) => this.revoke(tx, 'revokeOfMoved', DEVICE_MOVED),
      (tx: Tx) => this.revoke(tx, 'revokeOfRetired', DEVICE_RETIRED),
      async (tx: Tx) => noteExpired(tx, await this.expiry.sweep(tx, 'expireOfRetired')),
      async (tx: Tx) => noteExpired(tx, withoutSite(await this.expiry.sweep(tx, 'expireOfMoved'))),
      async (tx: Tx) => noteReleased(tx, await this.expiry.sweep(tx, 'releaseOfLeft')),
      (tx: Tx) => this.revoke(tx, 'revokeOfLeft', REQUESTER_LEFT),
      async (tx: Tx) => noteExpired(tx, await this.expiry.sweep(tx, 'expireOfLeft')),
      (tx: Tx) => this.expireApprovals(tx),
    ];
    for (const step of steps) while ((await this.work.background(SWEEPER, step)) === SWEEP_BATCH);
  }

  /** A grant holds only in the organisation that gave it, on a device in service, and for whom it could be given. */
  private async revoke(tx: Tx, step: `revokeOf${'Moved' | 'Retired' | 'Left'}`, reason: string): Promise<number> {
    const grants = await this.expiry.sweep(tx, step, reason);
    const moved = step === 'revokeOfMoved';
    await this.noteRevoked(tx, moved ? withoutSite(grants) : grants, reason);
    if (moved) await this.expiry.forwardRevocations(tx);
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

/** The site of a device that has moved is another organisation's. */
const withoutSite = (requests: readonly TransitionedRequest[]): TransitionedRequest[] =>
  requests.map((request) => ({ ...request, siteId: null }));

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

function noteReleased(tx: Tx, released: readonly TransitionedRequest[]): number {
  for (const request of released) {
    tx.emit(ElevationTaken, factOf(request, null), { aggregateId: request.id });
    tx.audit({ ...subjectOf(request), action: 'pam.elevation_request.release', details: requestDetailsOf(request) });
  }
  return released.length;
}
