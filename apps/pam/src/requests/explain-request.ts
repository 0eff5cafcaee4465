import { seesSite, type UserCaller } from '@gatehouse/contracts-core';
import type { ExplanationNoteCode, ExplanationRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { explaining, type Explanation, type Observation, type Rulebook } from '@gatehouse/pam-domain';
import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { PamConfig } from '../pam.config.ts';
import { InputReaders } from './input-readers.repository.ts';
import { requireReach } from './request-problems.ts';
import { ExplainedPlaces } from './explained-places.ts';
import {
  type Editor,
  type ExplainedRequest,
  ExplainedRequestsRepository,
  observationOf,
} from './explained-requests.repository.ts';
import { type ExplainedRulebook, ExplainedRulebooks } from './explained-rulebooks.ts';
import { explanationView, type RecordedDecision } from './explanation.view.ts';

/** Explaining yields to other requests on the event loop after this many milliseconds. */
const TURN_MS = 5;

/** Whether the caller sees who wrote the rule that matched. An organisation does not see its partner's authors. */
export const showsEditors = (caller: UserCaller, { matched }: Explanation): boolean =>
  matched !== null && (matched.origin === 'organization' || caller.level !== 'organization');

/** Explains a decision to a caller, who sees the rules of the own sites and of the whole organisation. */
export async function reasonsFor(
  { scope }: UserCaller,
  observation: Observation,
  rulebook: Rulebook,
  holdsGrants: boolean,
): Promise<Explanation> {
  const work = explaining(observation, rulebook, {
    circumstances: { holdsGrants },
    shows: ({ siteId }) => siteId === null || seesSite(scope, siteId),
  });
  let turnEndsAt = performance.now() + TURN_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() < turnEndsAt) continue;
    await nextTurn();
    turnEndsAt = performance.now() + TURN_MS;
  }
}

/** The automatic decision about a request, whatever people and time have made of it since. */
function recordedOf({ decisionSource: source, status, held }: ExplainedRequest): RecordedDecision {
  if (source === null || source === 'human') return { outcome: 'pending', source: null, held };
  return { outcome: status === 'denied' ? 'denied' : 'auto_approved', source, held };
}

const differs = (recorded: RecordedDecision, { decision }: Explanation): boolean =>
  recorded.outcome !== decision.outcome || recorded.source !== decision.source || recorded.held !== decision.held;

/** What the explanation of a stored request cannot know. */
function notesOf(
  { flowType, adGroups }: ExplainedRequest,
  recorded: RecordedDecision | null,
  reasons: Explanation | null,
): ExplanationNoteCode[] {
  const said: Partial<Record<ExplanationNoteCode, boolean>> = {
    places_are_current: true,
    groups_unknown: flowType === 'uac_intercept' && adGroups === null,
    recorded_differs: recorded !== null && reasons !== null && differs(recorded, reasons),
    rulebook_unusable: reasons === null,
  };
  return (Object.keys(said) as ExplanationNoteCode[]).filter((note) => said[note]);
}

interface Basis {
  readonly current: ExplainedRulebook;
  /** Null for a request without a version, or older than the memory. */
  readonly former: ExplainedRulebook | null;
}

/** Explains why a stored request was decided as it was, under the rules that decided it. */
@Injectable()
export class ExplainRequest {
  constructor(
    private readonly work: UnitOfWork,
    private readonly explainedRequests: ExplainedRequestsRepository,
    private readonly places: ExplainedPlaces,
    private readonly rulebooks: ExplainedRulebooks,
    private readonly config: PamConfig,
    private readonly inputReaders: InputReaders,
  ) {}

  async explain(caller: UserCaller, id: string): Promise<ExplanationRecord> {
    const { request, showsInput } = await this.work.read(caller, async (reader) => {
      const found = requireReach(caller.scope, await this.explainedRequests.find(reader, caller.scope, id));
      return { request: found, showsInput: (await this.inputReaders.of(reader, caller, [found]))(found) };
    });
    const { current, former } = await this.basisOf(caller, request);
    const reasons = await this.reasonsOf(caller, request, former, current);
    const recorded = former && recordedOf(request);
    return explanationView(showsInput, {
      basis: former ? 'as_decided' : 'current',
      rulebookVersion: request.rulebookVersion,
      currentVersion: current.version,
      reasons,
      recorded,
      editors: await this.editorsOf(caller, reasons, former ? request.requestedAt : new Date()),
      notes: notesOf(request, recorded, reasons),
      isOpen: request.statusNow === 'pending',
      pendingMinutes: this.config.pamPendingTtlMinutes,
    });
  }

  private async basisOf(caller: UserCaller, request: ExplainedRequest): Promise<Basis> {
    const { rulebookVersion: version } = request;
    const current = await this.rulebooks.current(caller, request);
    if (version === current.version) return { current, former: current };
    return { current, former: version === null ? null : await this.rulebooks.former(caller, request, version) };
  }

  private async reasonsOf(
    caller: UserCaller,
    request: ExplainedRequest,
    former: ExplainedRulebook | null,
    current: ExplainedRulebook,
  ): Promise<Explanation | null> {
    const { rulebook } = former ?? current;
    if (!rulebook) return null;
    const holdsGrants = former
      ? request.held === 'organization_suspended'
      : await this.places.isSuspended(caller, request);
    return reasonsFor(caller, observationOf(request), rulebook, holdsGrants);
  }

  private async editorsOf(caller: UserCaller, reasons: Explanation | null, at: Date): Promise<Editor[]> {
    const rule = reasons?.matched;
    return rule && showsEditors(caller, reasons)
      ? this.work.read(caller, (reader) => this.explainedRequests.editors(reader, rule.ruleId, at))
      : [];
  }
}
