import { invalid, isInstant, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { AuditLogEntry } from '../chain/link.ts';
import { AuditConfig } from '../audit.config.ts';
import type { AuditLogQuery } from './audit-log.dto.ts';
import { EntriesRepository, isCompared, type PageEnd } from './entries.repository.ts';
import { Reach } from './reach.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const cursorAt = ({ timestamp, id }: PageEnd): string => Buffer.from(`${timestamp} ${id}`).toString('base64url');

function readCursor(cursor: string | undefined): PageEnd | null {
  if (cursor === undefined) return null;
  const [timestamp, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!isInstant(timestamp) || !UUID.test(id)) throw invalid('cursor', 'must be the nextCursor of a page');
  return { timestamp, id };
}

/**
 * Returns one page of the log, newest first. Keyset pagination stays correct while the log grows. A page whose window
 * holds fewer matches than it asked for is short, and its cursor goes on behind the window.
 */
@Injectable()
export class ListEntries {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entries: EntriesRepository,
    private readonly reach: Reach,
    private readonly config: AuditConfig,
  ) {}

  async execute(
    caller: UserCaller,
    { orgId, cursor, limit, ...filter }: AuditLogQuery,
  ): Promise<{ data: AuditLogEntry[]; nextCursor: string | null }> {
    const window = { after: readCursor(cursor), length: this.config.auditSearchedEntries };
    const orgIds = orgId === undefined ? undefined : await this.reach.organization(caller, orgId);
    const reader = await this.reach.withMerged(caller);
    const wanted = { ...filter, orgIds };
    return this.work.read(reader, async (tx) => {
      const found = await this.entries.newest(tx, wanted, window, limit + 1);
      const data = found.slice(0, limit);
      const end =
        found.length > limit ? data.at(-1) : isCompared(wanted) && (await this.entries.endOf(tx, wanted, window));
      return { data, nextCursor: end ? cursorAt(end) : null };
    });
  }
}
