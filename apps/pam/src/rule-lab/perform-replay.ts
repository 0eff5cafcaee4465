import { asService, type ServiceCaller, type TenantScope } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { emptyTally, MAX_KEPT_CHANGES, Replay, type ToolCatalog } from '@gatehouse/pam-domain';
import { Inject, Injectable } from '@nestjs/common';
import { type Candidate, Candidates, compiled, namesOf, type Plan } from './candidates.ts';
import { lintOf } from './lint-candidate.ts';
import { outcomeOf, type Refs, summaryOf } from './replay-summary.ts';
import { Turns } from './scan-history.ts';
import { type HistoryEntry, HistoryRepository } from './history.repository.ts';
import { TOOL_CATALOG } from '../settings/tools.service.ts';
import { type ChangedRequest, type ClaimedReplay, ReplayWorkRepository } from './replay-work.repository.ts';

/** The most requests of a replay. */
const MAX_REPLAYED = 200_000;
/** A row may have 32 KB, so pages are kept small. */
const PAGE = 200;
/** How much is done between two commits. */
const BATCH_ROWS = 2000;
const BATCH_MS = 1000;
/** After this time a replay lets one of another organisation go on, and continues later where it stood. */
const TURN_OF_TENANT_MS = 5_000;
/** Between two turns the event loop is free for requests (docs/performance.md). */
const TURN_MS = 3;
const REST_MS = 4;

const SERVICE = asService('pam');

const planOf = ({ changes, defaultUnmatchedVerdict }: ClaimedReplay, authors: Plan['authors']): Plan => ({
  changes: changes as Plan['changes'],
  defaultUnmatchedVerdict,
  authors,
});

/** The author's reach at the time: a replay sees no more than its author. */
const callerOf = ({ partnerId, orgId, sites }: ClaimedReplay): ServiceCaller => {
  const scope: TenantScope = {
    partner: partnerId,
    orgs: new Set([orgId]),
    sites: sites === null ? 'all' : new Set(sites),
  };
  return { ...SERVICE, scope };
};

/** One run of a replay, and what it has found since it last saved. */
interface Run {
  readonly claimed: ClaimedReplay;
  readonly caller: ServiceCaller;
  readonly candidate: Candidate;
  readonly replay: Replay;
  readonly refs: Refs;
  readonly turns: Turns;
  readonly total: number;
  position: string | null;
  changes: ChangedRequest[];
  devices: Set<string>;
}

type End = 'whole' | 'truncated' | 'stopped' | 'lost';

const changedOf = (entry: HistoryEntry, difference: NonNullable<ReturnType<Replay['judge']>>, refs: Refs) => ({
  requestId: entry.id,
  requestedAt: entry.requestedAt,
  deviceId: entry.observation.place.deviceId,
  deviceHostname: entry.deviceHostname,
  flowType: entry.flowType,
  outcome: difference.after.outcome,
  before: outcomeOf(difference.before, refs),
  after: outcomeOf(difference.after, refs),
  recordedStatus: entry.status,
  recordedSource: entry.source,
});

/** Works on one replay from where it stands to its end, in batches that each commit (PAM-241). */
@Injectable()
export class PerformReplay {
  constructor(
    private readonly work: UnitOfWork,
    private readonly candidates: Candidates,
    private readonly history: HistoryRepository,
    private readonly jobs: ReplayWorkRepository,
    @Inject(TOOL_CATALOG) private readonly catalog: ToolCatalog,
  ) {}

  /** @throws ProblemError when the changes no longer fit the rules */
  async perform(claimed: ClaimedReplay, stopping: AbortSignal): Promise<void> {
    const run = await this.begin(claimed);
    const end = await this.goOn(run, stopping);
    if (end === 'lost') return;
    if (end === 'stopped') return this.work.background(SERVICE, (tx) => this.jobs.release(tx, claimed));
    const lint = await lintOf(run.candidate, { ...run, catalog: this.catalog, scope: run.caller.scope });
    await this.work.background(SERVICE, async (tx) => {
      const devicesAffected = await this.jobs.deviceCount(tx, claimed);
      const told = { refs: run.refs, truncated: end === 'truncated', devicesAffected, lint };
      await this.jobs.finish(tx, claimed, summaryOf(run.replay.tally, told));
    });
  }

  /** Rules that changed since the replay was queued, or since an earlier run, make it begin anew under them. */
  private async begin(claimed: ClaimedReplay): Promise<Run> {
    const caller = callerOf(claimed);
    const { plan, candidate } = await this.work.background(SERVICE, async (tx) => {
      const own = planOf(claimed, await this.jobs.authors(tx, claimed));
      return { plan: own, candidate: await this.candidates.hold(tx, claimed, own) };
    });
    const isContinued = claimed.tally !== null && candidate.version === claimed.rulebookVersion;
    if (!isContinued) await this.work.background(SERVICE, (tx) => this.jobs.forget(tx, claimed));
    const { present, candidate: changed } = compiled(candidate);
    return {
      claimed,
      caller,
      candidate,
      replay: new Replay(present, changed, (isContinued && claimed.tally) || emptyTally()),
      refs: namesOf(plan),
      turns: new Turns(TURN_MS, REST_MS),
      total: claimed.total > 0 ? claimed.total : await this.count(claimed, caller),
      position: isContinued ? claimed.position : null,
      changes: [],
      devices: new Set(),
    };
  }

  private count(claimed: ClaimedReplay, caller: ServiceCaller): Promise<number> {
    const window = { ...windowOf(claimed), limit: MAX_REPLAYED };
    return this.work.backgroundRead(caller, (reader) => this.history.count(reader, caller.scope, window));
  }

  private async goOn(run: Run, stopping: AbortSignal): Promise<End> {
    const turnEndsAt = performance.now() + TURN_OF_TENANT_MS;
    for (;;) {
      const end = (await this.batch(run, stopping)) ?? (stopping.aborted ? 'stopped' : null);
      if (!(await this.save(run))) return 'lost';
      if (end) return end;
      if (performance.now() >= turnEndsAt && (await this.othersWait(run))) return 'stopped';
    }
  }

  /** Replays pages until a commit is due. @returns null while requests remain */
  private async batch(run: Run, stopping: AbortSignal): Promise<End | null> {
    const { tally } = run.replay;
    const [until, rows] = [performance.now() + BATCH_MS, tally.scanned + BATCH_ROWS];
    while (tally.scanned < rows && performance.now() < until && !stopping.aborted) {
      const page = await this.page(run, PAGE);
      for (const entry of page) {
        judge(run, entry);
        await run.turns.next();
      }
      run.position = page.at(-1)?.id ?? run.position;
      const end = page.length < PAGE ? 'whole' : await this.limitOf(run);
      if (end) return end;
    }
    return null;
  }

  /** Whether the replay has come to one of its limits. */
  private async limitOf(run: Run): Promise<End | null> {
    if (run.replay.isExhausted) return 'truncated';
    if (run.replay.tally.scanned < MAX_REPLAYED) return null;
    return (await this.page(run, 1)).length > 0 ? 'truncated' : 'whole';
  }

  /** The next requests, in a transaction of their own. */
  private page({ claimed, caller, position }: Run, limit: number): Promise<HistoryEntry[]> {
    const window = { ...windowOf(claimed), before: position ?? undefined, limit };
    return this.work.backgroundRead(caller, (reader) => this.history.page(reader, caller.scope, window));
  }

  private othersWait({ claimed }: Run): Promise<boolean> {
    return this.work.background(SERVICE, (tx) => this.jobs.othersWait(tx, claimed));
  }

  private async save(run: Run): Promise<boolean> {
    const { claimed, candidate, replay, position, total, changes, devices } = run;
    const { version: rulebookVersion } = candidate;
    const progress = { rulebookVersion, position, total, tally: replay.tally, changes, deviceIds: [...devices] };
    const isHeld = await this.work.background(SERVICE, (tx) => this.jobs.save(tx, claimed, progress));
    [run.changes, run.devices] = [[], new Set()];
    return isHeld;
  }
}

const windowOf = ({ orgId, flowType, since }: ClaimedReplay) => ({ orgId, flowType: flowType ?? undefined, since });

function judge({ replay, refs, changes, devices }: Run, entry: HistoryEntry): void {
  const difference = replay.judge(entry.observation);
  if (!difference) return;
  devices.add(entry.observation.place.deviceId);
  if (replay.tally.changed <= MAX_KEPT_CHANGES) changes.push(changedOf(entry, difference, refs));
}
