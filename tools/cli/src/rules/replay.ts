import { type BodyOf, type DataOf, type Gatehouse, ok } from '@gatehouse/client';
import { setTimeout as wait } from 'node:timers/promises';
import { plain } from '../command.ts';
import type { Change } from './plan.ts';

type RuleChange = NonNullable<BodyOf<'/pam/replays', 'post'>['changes']>[number];
type Replay = DataOf<'/pam/replays/{id}', 'get'>;
type Summary = NonNullable<Replay['summary']>;

const POLL_MS = 500;

function changeOf(change: Change, at: number): RuleChange {
  if (change.kind === 'delete') return { op: 'remove', ruleId: change.id };
  if (change.kind === 'update') return { op: 'update', ruleId: change.id, patch: change.members };
  const { id: _, ...rule } = change.rule;
  return { op: 'add', ref: `rule ${at + 1}`, rule };
}

/** The changes of a plan in the form in which they are replayed. */
export const changesOf = (changes: readonly Change[]): RuleChange[] => changes.map(changeOf);

/** Waits until the replay has ended. */
export async function awaited(gatehouse: Gatehouse, jobId: string): Promise<Replay> {
  for (;;) {
    const replay = await ok(gatehouse.GET('/pam/replays/{id}', { params: { path: { id: jobId } } }));
    if (replay.state !== 'queued' && replay.state !== 'running') return replay;
    await wait(POLL_MS);
  }
}

/** What a replay found, in lines. */
export function linesOf(jobId: string, summary: Summary): string[] {
  const { changed, totalScanned, devicesAffected, transitions, lint, caveats } = summary;
  return [
    `replay ${jobId}`,
    `${changed} of ${totalScanned} requests would be decided otherwise, on ${devicesAffected} devices`,
    ...transitions.map(({ from, to, count }) => `  ${from} -> ${to}: ${count}`),
    ...lint.map(({ severity, code, ruleId, detail }) => plain(`  ${severity} ${code} (${ruleId}): ${detail}`)),
    `limits: ${caveats.join(', ')}`,
  ];
}
