import type { AuditRecord, EventActor } from '@gatehouse/contracts-core';
import { canonicalJson, sha256Hex } from '@gatehouse/crypto';

/** The chain of records that belong to no partner. */
export const SYSTEM_CHAIN = 'system';
/** The previous hash of a chain's first entry. */
export const GENESIS = '0'.repeat(64);

/** One entry of the log, in the form in which it is stored, listed and exported (decisions, "Audit log"). */
export interface AuditLogEntry extends AuditRecord {
  /** 1 for the first entry of its chain, without gaps. */
  readonly sequence: number;
  /** The partner's id, or `system`. */
  readonly chain: string;
  readonly previousHash: string;
  readonly hash: string;
}

export const chainOf = ({ partnerId }: Pick<AuditRecord, 'partnerId'>): string => partnerId ?? SYSTEM_CHAIN;

/**
 * SHA-256 in hex of the canonical JSON of the entry without its `hash`; the hash of the previous entry is included.
 */
export function hashOf(entry: Omit<AuditLogEntry, 'hash'> & { readonly hash?: string }): string {
  const { hash: _, ...hashed } = entry;
  return sha256Hex(canonicalJson(hashed));
}

/** The end of a chain: the number of its entries and the hash of the last one. */
export interface ChainEnd {
  readonly length: number;
  readonly head: string;
}

/** An actor without a label is hashed without that member, as entries were before keys had labels. */
export const actorOf = ({
  type,
  id,
  name,
  label,
}: Omit<EventActor, 'label'> & { label?: string | null }): EventActor =>
  typeof label === 'string' ? { type, id, name, label } : { type, id, name };

/** Lists the members explicitly, so that an unknown member of a record does not enter the log. */
function entryOf(record: AuditRecord, { length, head }: ChainEnd): Omit<AuditLogEntry, 'hash'> {
  const { id, partnerId, orgId, siteId, actor, action, resource, result, details, ip, userAgent, requestId } = record;
  const { clientRequestId } = record;
  return {
    id,
    sequence: length + 1,
    timestamp: new Date(record.timestamp).toISOString(),
    chain: chainOf(record),
    partnerId,
    orgId,
    siteId,
    actor: actorOf(actor),
    action,
    resource: { type: resource.type, id: resource.id, name: resource.name },
    result,
    details,
    ip,
    userAgent,
    requestId,
    ...(clientRequestId && { clientRequestId }),
    previousHash: head,
  };
}

/** Links records to the end of their chain, in their given order. */
export function link(end: ChainEnd, records: readonly AuditRecord[]): { entries: AuditLogEntry[]; end: ChainEnd } {
  const entries: AuditLogEntry[] = [];
  let last = end;
  for (const record of records) {
    const entry = entryOf(record, last);
    const hash = hashOf(entry);
    entries.push({ ...entry, hash });
    last = { length: entry.sequence, head: hash };
  }
  return { entries, end: last };
}
