import type { Page, Response } from '@playwright/test';

interface Call {
  readonly path: string;
  readonly query: URLSearchParams;
  /** The length of the longest list in the answer. */
  readonly rows: number;
  readonly isPaged: boolean;
}

const MAX_PAGE = 100;
/** Come whole by contract: the rules of one organisation, and what is in force, at most 500. */
const WHOLE = /\/pam\/(?:rules|active)$/;
const PAGE = ['page', 'cursor', 'limit'];

function faultsOf({ path, query, rows, isPaged }: Call): string[] {
  const isEndless = isPaged && !(Number(query.get('limit') ?? Infinity) <= MAX_PAGE);
  const isLong = rows > MAX_PAGE && !WHOLE.test(path);
  return [
    ...(isEndless ? [`${path} without a limit: ${query}`] : []),
    ...(isLong ? [`${path} has ${rows} rows`] : []),
    ...(path === '/api/v1/orgs' ? ['GET /orgs outside of an organisation'] : []),
  ];
}

/** What the pages read of the API. */
export class Traffic {
  readonly calls: Call[] = [];
  private readonly coming = new Set<Promise<void>>();

  static in(page: Page): Traffic {
    const traffic = new Traffic();
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      const isRead = response.request().method() === 'GET' && pathname.startsWith('/api/v1/');
      if (isRead && !pathname.includes('/events/')) traffic.follow(response);
    });
    return traffic;
  }

  /** Answers that no page may ask for: lists without an end, longer than a page, or one page after another. */
  async faults(): Promise<string[]> {
    await Promise.all(this.coming);
    return [...new Set([...this.calls.flatMap(faultsOf), ...this.readThrough()])];
  }

  /** Lists of which more than two pages were read. */
  private readThrough(): string[] {
    const pages = new Map<string, Set<string>>();
    for (const { path, query } of this.calls) {
      const rest = [...query].filter(([name]) => !PAGE.includes(name));
      const list = `${path}?${new URLSearchParams(rest)}`;
      pages.set(list, (pages.get(list) ?? new Set()).add(query.get('page') ?? query.get('cursor') ?? '1'));
    }
    return [...pages].filter(([, read]) => read.size > 2).map(([list]) => `${list} is read page after page`);
  }

  private follow(response: Response): void {
    const work: Promise<void> = this.note(response)
      // A page that is left takes the answers along that nothing has read.
      .catch(() => undefined)
      .finally(() => this.coming.delete(work));
    this.coming.add(work);
  }

  private async note(response: Response): Promise<void> {
    const { pathname, searchParams } = new URL(response.url());
    const answer = (await response.json()) as Record<string, unknown>;
    const lists = Object.values(answer).filter(Array.isArray);
    this.calls.push({
      path: pathname,
      query: searchParams,
      rows: Math.max(0, ...lists.map(({ length }) => length)),
      isPaged: 'pagination' in answer || 'nextCursor' in answer,
    });
  }
}
