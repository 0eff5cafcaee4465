import { asService, type AuditRecord } from '@gatehouse/contracts-core';
import { type OutboxRow, UnitOfWork } from '@gatehouse/database';
import { Every } from '@gatehouse/service';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { addRuleUse, type RuleUseEntity } from './rule-use.repository.ts';

const EVERY_MS = 60_000;
const SELF = asService('pam');
const DAY_LENGTH = 'yyyy-mm-dd'.length;

const SUBMISSIONS: ReadonlySet<string> = new Set(['pam.elevation_request.submit', 'pam.elevation_request.ignore']);

/** The match that an audit entry records; null for other entries. */
function matchOf({ subject, envelope }: OutboxRow): RuleUseEntity | null {
  if (!subject.startsWith('audit.')) return null;
  const { action, details, partnerId, orgId } = envelope.data as AuditRecord;
  const { ruleId } = details;
  if (!SUBMISSIONS.has(action) || typeof ruleId !== 'string' || partnerId === null || orgId === null) return null;
  const lastMatchedAt = new Date(envelope.occurredAt);
  return { ruleId, day: envelope.occurredAt.slice(0, DAY_LENGTH), partnerId, orgId, matches: 1, lastMatchedAt };
}

/**
 * Counts in memory which rules matched, from the audit entries of committed submissions, and stores the counts each
 * minute. A crash may lose a minute; a stop loses nothing.
 */
@Injectable()
export class CountRuleUse implements BeforeApplicationShutdown {
  private counted = new Map<string, RuleUseEntity>();

  constructor(private readonly work: UnitOfWork) {
    work.onCommit((facts) => {
      for (const fact of facts) this.count(matchOf(fact));
    });
  }

  @Every(EVERY_MS, 'use of rules')
  async store(): Promise<void> {
    const use = [...this.counted.values()];
    if (use.length === 0) return;
    this.counted = new Map();
    try {
      await this.work.background(SELF, (tx) => addRuleUse(tx, use));
    } catch (error) {
      for (const each of use) this.count(each);
      throw error;
    }
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.store();
  }

  private count(match: RuleUseEntity | null): void {
    if (!match) return;
    const key = `${match.ruleId} ${match.orgId} ${match.day}`;
    const known = this.counted.get(key);
    if (!known) this.counted.set(key, match);
    else {
      known.matches += match.matches;
      if (match.lastMatchedAt > known.lastMatchedAt) known.lastMatchedAt = match.lastMatchedAt;
    }
  }
}
