import type { Api } from '@gatehouse/stack';
import type { Actor } from './recorder.ts';

/** An entry as the API shows it. */
export interface LogEntry {
  readonly sequence: number;
  readonly chain: string;
  readonly partnerId: string | null;
  readonly orgId: string | null;
  readonly siteId: string | null;
  readonly actor: Actor & { readonly name: string | null };
  readonly action: string;
  readonly resource: { readonly type: string; readonly id: string | null; readonly name: string | null };
  readonly result: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly ip: string | null;
  readonly userAgent: string | null;
  readonly requestId: string | null;
}

interface Page {
  readonly data: LogEntry[];
  readonly nextCursor: string | null;
}

/** Reads all entries within the caller's reach, page by page. */
export async function readLog(api: Api): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await api.must<Page>(
      'GET',
      `/audit-logs?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    entries.push(...page.data);
    cursor = page.nextCursor;
  }
  return entries;
}

/** Groups entries by the request that caused them. */
export function byRequest(entries: readonly LogEntry[]): Map<string, LogEntry[]> {
  const found = new Map<string, LogEntry[]>();
  for (const entry of entries) {
    if (entry.requestId) found.set(entry.requestId, [...(found.get(entry.requestId) ?? []), entry]);
  }
  return found;
}
