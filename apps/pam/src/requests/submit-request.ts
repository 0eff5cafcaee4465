import type { UserCaller } from '@gatehouse/contracts-core';
import { newId } from '@gatehouse/crypto';
import { type Repetition, requireLiveProvider, type Tx, UnitOfWork } from '@gatehouse/database';
import {
  decide,
  type Decision,
  EffortShares,
  failSafe,
  justificationGap,
  nothingSeen,
  type Observation,
  type Rulebook,
} from '@gatehouse/pam-domain';
import { submissionAudit, submissionEvents } from '@gatehouse/pam-store';
import { Injectable } from '@nestjs/common';
import { type Device, DevicesRepository } from '../tenants/devices.repository.ts';
import { requireUsable } from '../tenants/require-place.ts';
import { type TransitionedRequest, ticketDetailsOf, toolDetailsOf } from './transitioned-request.ts';
import { presentRequest } from './request-transitions.repository.ts';
import { justificationProblem } from './request-problems.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';
import { PamConfig } from '../pam.config.ts';
import { LockedRulebooks } from './locked-rulebooks.ts';
import { type Ask, SubmissionsRepository } from './submissions.repository.ts';

export const SUBMISSION_PROBLEMS = [
  'device_decommissioned',
  'device_awaiting_confirmation',
  'justification_required',
  'ticket_required',
  'ticket_invalid',
  'site_access_denied',
  'device_not_found',
  'elevation_request_not_found',
  'organization_frozen',
  'organization_not_found',
] as const;

/** Submits a request of a user or an AI agent. The same decision chain applies as to a prompt on a device. */
@Injectable()
export class SubmitRequest {
  private readonly shares = new EffortShares();

  constructor(
    private readonly work: UnitOfWork,
    private readonly devices: DevicesRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly heldRulebooks: LockedRulebooks,
    private readonly submissions: SubmissionsRepository,
    private readonly config: PamConfig,
  ) {}

  /** A repeated call is answered from the present state of its request. */
  submitRequest(caller: UserCaller, deviceId: string, ask: Ask): Promise<TransitionedRequest> {
    const repetition: Repetition<TransitionedRequest, string> = {
      keep: ({ id }) => id,
      answer: (reader, id) => presentRequest(reader, caller.scope, id),
    };
    return this.work.once(caller, caller.idempotency, (tx) => this.submit(tx, caller, deviceId, ask), repetition);
  }

  private async submit(tx: Tx, caller: UserCaller, deviceId: string, ask: Ask): Promise<TransitionedRequest> {
    await requireLiveProvider(tx, caller);
    const device = requireUsable(caller, await this.devices.find(tx, caller.scope, deviceId));
    const { status } = await this.organizations.resolveWritable(tx, caller, device.orgId);
    const { version, rulebook } = await this.heldRulebooks.hold(tx, device);
    if (rulebook) requireJustification(rulebook, ask);
    const holdsGrants = status === 'suspended';
    const decision = rulebook
      ? this.shares.during(device.orgId, (effort) =>
          decide(observationOf(caller, device, ask), rulebook, { effort, holdsGrants }),
        )
      : failSafe();
    const submission = {
      id: newId(),
      ask,
      device,
      decision,
      version,
      minutes: minutesOf(ask, decision),
      pendingMinutes: this.config.pamPendingTtlMinutes,
    };
    const moved = await this.submissions.insert(tx, caller, submission);
    publish(tx, caller, moved, decision);
    return moved;
  }
}

function requireJustification({ justification }: Rulebook, ask: Ask): void {
  const gap = justificationGap(justification, ask);
  if (gap) throw justificationProblem(gap, justification);
}

function observationOf(
  { userId, email }: UserCaller,
  { deviceId, partnerId, orgId, siteId, groupIds, formerPlaces, editors }: Device,
  { flowType, reason, ticket, tool }: Ask,
): Observation {
  const place = { deviceId, partnerId, orgId, siteId, groupIds, formerPlaces, editors };
  const seen = nothingSeen(flowType, place, new Date());
  return {
    ...seen,
    username: email,
    requesterId: userId,
    reason,
    ticket,
    toolName: tool?.name ?? null,
    riskTier: tool?.riskTier ?? null,
  };
}

/** A rule's minutes are an upper limit; the request may ask for less. */
const minutesOf = ({ durationMinutes }: Ask, { approvalMinutes }: Decision): number | null =>
  durationMinutes !== null && approvalMinutes !== null
    ? Math.min(durationMinutes, approvalMinutes)
    : (approvalMinutes ?? durationMinutes);

function publish(tx: Tx, caller: UserCaller, moved: TransitionedRequest, decision: Decision): void {
  const submitted = { ...moved, actorId: caller.id };
  for (const { type, fact } of submissionEvents(submitted, decision)) tx.emit(type, fact, { aggregateId: moved.id });
  tx.audit(
    submissionAudit(submitted, decision, {
      name: moved.deviceHostname,
      details: { ...toolDetailsOf(moved), ...ticketDetailsOf(moved) },
    }),
  );
}
