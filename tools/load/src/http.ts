import { Agent, request } from 'undici';

/** Enough connections for any scenario, so that no request waits for one. */
const agent = new Agent({ connections: 256, headersTimeout: 30_000, bodyTimeout: 30_000 });

export interface Send {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly location: string;
  /** Name and value of each cookie that the answer sets, as a browser sends them back. */
  readonly cookie: string;
}

const listOf = (header: string | string[] | undefined): string[] => (header === undefined ? [] : [header].flat());

/** One request, redirects not followed: a lighter client than fetch, because the load generator shares the machine. */
export async function send(url: string, { method = 'GET', headers = {}, body, signal }: Send = {}): Promise<Answer> {
  const own = body && { 'content-type': 'application/json' };
  const answer = await request(url, {
    method,
    dispatcher: agent,
    headers: { ...own, ...headers },
    body: body && JSON.stringify(body),
    signal,
  });
  return {
    status: answer.statusCode,
    text: await answer.body.text(),
    location: listOf(answer.headers['location'])[0] ?? '',
    cookie: listOf(answer.headers['set-cookie'])
      .map((one) => one.split(';')[0])
      .join('; '),
  };
}

/**
 * @throws Error with the answer if its status is not the expected one
 */
export async function expectStatus(wanted: number, url: string, options?: Send): Promise<Answer> {
  const answer = await send(url, options);
  if (answer.status !== wanted)
    throw new Error(
      `${options?.method ?? 'GET'} ${url}: ${answer.status} instead of ${wanted} ${answer.location} ${answer.text.slice(0, 300)}`,
    );
  return answer;
}
