import { invalid, isInstant, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import type { AuditLogEntry } from '../chain/link.ts';
import type { AuditLogQuery } from './audit-log.dto.ts';
import { EntriesRepository, type PageEnd } from './entries.repository.ts';
import { Reach } from './reach.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const cursorAt = ({ timestamp, id }: PageEnd): string => Buffer.from(`${timestamp} ${id}`).toString('base64url');

function readCursor(cursor: string | undefined): PageEnd | null {
  if (cursor === undefined) return null;
  const [timestamp, id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ');
  if (!isInstant(timestamp) || !UUID.test(id)) throw invalid('cursor', 'must be the nextCursor of a page');
  return { timestamp, id };
}

/** Returns one page of the log, newest first. Keyset pagination stays correct while the log grows. */
@Injectable()
export class ListEntries {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entries: EntriesRepository,
    private readonly reach: Reach,
  ) {}

  async execute(
    caller: UserCaller,
    { orgId, cursor, limit, ...filter }: AuditLogQuery,
  ): Promise<{ data: AuditLogEntry[]; nextCursor: string | null }> {
    const after = readCursor(cursor);
    const orgIds = orgId === undefined ? undefined : await this.reach.organization(caller, orgId);
    const reader = await this.reach.withMerged(caller);
    const found = await this.work.read(reader, (tx) =>
      this.entries.newest(tx, { ...filter, orgIds }, after, limit + 1),
    );
    const data = found.slice(0, limit);
    const last = data.at(-1);
    return { data, nextCursor: found.length > limit && last ? cursorAt(last) : null };
  }
}
