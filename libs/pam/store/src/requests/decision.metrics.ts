import type { AuditAction, AuditRecord } from '@gatehouse/contracts-core';
import { DECISION_OUTCOMES, DECISION_SOURCES } from '@gatehouse/contracts-pam';
import type { OutboxRow, UnitOfWork } from '@gatehouse/database';
import { HOLDS } from '@gatehouse/pam-domain';
import type { Metrics } from '@gatehouse/telemetry';

interface Verdict {
  readonly outcome: string;
  /** The decision source; `none` while a technician has to decide. */
  readonly source: string;
}

const byPerson = (outcome: string) => (): Verdict => ({ outcome, source: 'technician' });
/** A vote that leaves the request pending decides nothing. */
const byVote = ({ status }: AuditRecord['details']): Verdict | null =>
  status === 'pending' ? null : byPerson('approved')();
const byClock = (outcome: string) => (): Verdict => ({ outcome, source: 'clock' });
const byRulebook = ({ status, decisionSource }: AuditRecord['details']): Verdict => ({
  outcome: String(status),
  source: String(decisionSource ?? 'none'),
});

const DECISIONS: Partial<Record<AuditAction, (details: AuditRecord['details']) => Verdict | null>> = {
  'pam.elevation_request.submit': byRulebook,
  'pam.elevation_request.ignore': byRulebook,
  'pam.elevation_request.approve': byVote,
  'pam.elevation_request.deny': byPerson('denied'),
  'pam.elevation_request.revoke': byPerson('revoked'),
  'pam.elevation_request.expire': byClock('expired'),
  'pam.approval.approve': byVote,
  'pam.approval.deny': byPerson('denied'),
  'pam.approval.report': byPerson('denied'),
};

/** A freeze records the windows of one organisation that it ended in one entry. */
const numberOf = ({ requestIds }: AuditRecord['details']): number =>
  Array.isArray(requestIds) ? requestIds.length : 1;

/** Counts decisions, held grants and votes when they are committed, from their audit entries. */
export function measureDecisions({ metrics, store }: { metrics: Metrics; store: { work: UnitOfWork } | null }): void {
  const decisions = metrics.counter('gatehouse_pam_decisions_total', 'Decisions on elevation requests', {
    outcome: [...DECISION_OUTCOMES, 'approved', 'revoked', 'expired'],
    source: [...DECISION_SOURCES, 'technician', 'clock', 'none'],
  });
  const votes = metrics.counter(
    'gatehouse_pam_votes_total',
    'Approvals that people gave, also where several are needed',
    { last: ['true', 'false'] },
  );
  const held = metrics.counter('gatehouse_pam_held_total', 'Grants that wait for a technician all the same', {
    held: HOLDS,
  });
  store?.work.onCommit((facts: readonly OutboxRow[]) => {
    for (const { subject, envelope } of facts) {
      if (!subject.startsWith('audit.')) continue;
      const { action, result, details } = envelope.data as AuditRecord;
      const verdict = result === 'success' ? DECISIONS[action]?.(details) : undefined;
      if (verdict) decisions.inc({ ...verdict }, numberOf(details));
      if (result === 'success' && typeof details['held'] === 'string') held.inc({ held: details['held'] });
      if (result === 'success' && 'votesGiven' in details) votes.inc({ last: String(details['status'] !== 'pending') });
    }
  });
}
