import { setTimeout as sleep } from 'node:timers/promises';

export type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

export interface ClientOptions {
  readonly token?: string;
  /** Called before a request that was answered with 429 is sent again. */
  onWait?(seconds: number): void;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const TIMEOUT_MS = 15_000;
/** A little longer than the longest window of the product's rate limits. */
const MAX_WAIT_SECONDS = 310;

/** The product as its clients see it: HTTP and JSON, nothing else. Redirects are answers, not followed. */
export class ProductClient {
  /** @param baseUrl the gateway, without a slash at its end */
  constructor(
    readonly baseUrl: string,
    private readonly options: ClientOptions = {},
  ) {}

  /** The same product, called with an access token. */
  as(token: string): ProductClient {
    return new ProductClient(this.baseUrl, { ...this.options, token });
  }

  /** @param path under `/api/v1` */
  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body: object = {}): Promise<Answer> {
    return this.call('POST', path, body);
  }

  put(path: string, body: object): Promise<Answer> {
    return this.call('PUT', path, body);
  }

  delete(path: string): Promise<Answer> {
    return this.call('DELETE', path);
  }

  private call(method: Method, path: string, body?: object): Promise<Answer> {
    const { token } = this.options;
    return this.fetch(`/api/v1${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
  }

  /** @param path as it is, from the root of the product */
  async fetch(path: string, init: RequestInit = {}): Promise<Answer> {
    const response = await fetch(`${this.baseUrl}${path}`, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      const why = `no product answers at ${this.baseUrl}: start it with npm start, or name its address with --url`;
      throw new Error(why, { cause });
    });
    const wait = Number(response.headers.get('retry-after'));
    if (response.status === 429 && wait > 0 && wait <= MAX_WAIT_SECONDS) {
      this.options.onWait?.(wait);
      await sleep(wait * 1000);
      return this.fetch(path, init);
    }
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  }
}

function parse(text: string): Body {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' ? { ...value } : { value };
  } catch {
    return text ? { text: text.slice(0, 200) } : {};
  }
}

/** The value under a dotted path (`data.0.id`), or undefined. */
export function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Body | null | undefined)?.[key], body);
}

/** Why an answer is not the expected one: the sentence of a refusal with its code, or that it is none of Gatehouse. */
export function reasonIn(body: unknown): string {
  const [code, detail] = [at(body, 'code'), at(body, 'detail')];
  if (typeof detail === 'string') return `${detail.replace(/\.$/, '')} (${String(code)})`;
  return code === undefined ? 'another program answers at this address' : JSON.stringify(body).slice(0, 300);
}

const lacks = (body: unknown, what: string): Error =>
  new Error(at(body, 'detail') === undefined ? `the answer has no ${what}: ${reasonIn(body)}` : reasonIn(body));

/** The same, which must be a non-empty text. */
export function text(body: unknown, path: string): string {
  const value = at(body, path);
  if (typeof value !== 'string' || value === '') throw lacks(body, path);
  return value;
}

/** The same, which must be a list. */
export function list(body: unknown, path: string): Body[] {
  const value = at(body, path);
  if (!Array.isArray(value)) throw lacks(body, `list ${path}`);
  return value as Body[];
}
