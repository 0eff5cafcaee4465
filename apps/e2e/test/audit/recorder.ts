import type { Api } from '@gatehouse/stack';

/** The client address that a trusted proxy reports to the gateway. */
export const CLIENT_ADDRESS = '203.0.113.77';
export const USER_AGENT = 'audit-walk/1';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Json = Record<string, unknown>;

export interface Actor {
  readonly type: 'user' | 'api_key' | 'agent' | 'setup_link' | 'system';
  readonly id: string | null;
}

/** The product itself as the actor, while the caller is still unknown. */
export const SYSTEM_ACTOR: Actor = { type: 'system', id: null };

/** A caller of the product. */
export interface Person {
  readonly api: Api;
  readonly actor: Actor;
}

export interface Place {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** An entry that one request must leave in the log. */
export interface Told {
  readonly action: string;
  /** The type of the resource and its id; by default the id in the address. */
  readonly resource: string;
  readonly id?: string | null | ((answer: Json) => unknown);
  readonly actor?: Actor;
  readonly place?: Place;
  readonly result?: 'success' | 'failure' | 'denied';
}

export interface Step {
  readonly as: Person;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  readonly form?: URLSearchParams;
  readonly cookie?: string;
  readonly told: readonly Told[];
  /** The answers that the test expects; success by default. */
  readonly status?: number | 'refused' | 'any';
}

export interface Answered<T> {
  readonly requestId: string;
  readonly status: number;
  readonly body: T;
  readonly headers: Headers;
}

/** An entry as the log must contain it. */
export interface ExpectedEntry {
  readonly action: string;
  readonly result: string;
  readonly actor: Actor;
  readonly resource: { readonly type: string; readonly id: unknown };
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

export interface Recorded {
  readonly route: string;
  readonly requestId: string;
  readonly status: number;
  readonly entries: ExpectedEntry[];
  /** The body of the request and of the answer. */
  readonly sent: object | undefined;
  readonly answer: Json;
}

function isMeant(status: number, meant: Step['status']): boolean {
  if (meant === 'any') return status < 500;
  return typeof meant === 'number' ? status === meant : status < 400 === (meant === undefined) && status < 500;
}

/** Calls the product and keeps the id of each request with the entries that it must leave in the log. */
export class Recorder {
  readonly calls: Recorded[] = [];
  /** All requests and answers, so that the test can search them for secrets. */
  readonly exchanged: unknown[] = [];
  /** Bodies of problem answers, which must not contain secrets either. */
  readonly refusals: string[] = [];

  constructor(
    private readonly baseUrl: string,
    private readonly place: Place,
  ) {}

  /** @param route as the contract spells it: `POST /users/{id}` @throws Error when the answer is not the one meant */
  async call<T = Json>(route: string, step: Step): Promise<T> {
    return (await this.send<T>(route, step)).body;
  }

  async send<T = Json>(route: string, { status: meant, ...step }: Step): Promise<Answered<T>> {
    const [method = 'GET', path = ''] = route.split(' ');
    const address = `${this.baseUrl}/api/v1${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => step.params?.[name] ?? `missing-${name}`)}${step.query ?? ''}`;
    const response = await fetch(address, {
      method: method as Method,
      redirect: 'manual',
      headers: this.headersOf(step),
      body: step.form ?? (step.body && JSON.stringify(step.body)),
    });
    const requestId = String(response.headers.get('x-request-id'));
    const text = await response.text();
    const body = (text.startsWith('{') ? JSON.parse(text) : { text }) as Json;
    if (!isMeant(response.status, meant)) throw new Error(`${route}: ${response.status} ${text}`);
    if (response.ok) this.exchanged.push(body);
    else this.refusals.push(text);
    this.exchanged.push(
      step.body,
      step.form && Object.fromEntries(step.form),
      response.headers.get('location'),
      response.headers.get('set-cookie'),
    );
    this.calls.push({
      route,
      requestId,
      status: response.status,
      sent: step.body,
      answer: body,
      entries: step.told.map((told) => this.entryOf(told, { actor: step.as.actor, params: step.params ?? {} }, body)),
    });
    return { requestId, status: response.status, body: body as T, headers: response.headers };
  }

  /** Sets the expected entries of an anonymous request, once its caller is known. */
  tell(requestId: string, told: readonly Told[]): void {
    const call = this.calls.find((made) => made.requestId === requestId);
    call?.entries.push(...told.map((one) => this.entryOf(one, { actor: SYSTEM_ACTOR, params: {} }, {})));
  }

  private headersOf({ as, body, cookie }: Omit<Step, 'status'>): Record<string, string> {
    const { accessToken } = as.api;
    return {
      'x-forwarded-for': CLIENT_ADDRESS,
      'user-agent': USER_AGENT,
      ...(body && { 'content-type': 'application/json' }),
      ...(cookie && { cookie }),
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
    };
  }

  private entryOf(
    { action, resource, id, actor, place, result = 'success' }: Told,
    by: { readonly actor: Actor; readonly params: Readonly<Record<string, string>> },
    answer: Json,
  ): ExpectedEntry {
    const own = typeof id === 'function' ? id(answer) : id;
    return {
      action,
      result,
      actor: actor ?? by.actor,
      resource: { type: resource, id: own === undefined ? Object.values(by.params)[0] : own },
      ...(place ?? this.place),
    };
  }
}

/** The id in an answer: of the record, or of the record under `data` or another envelope. */
export const idOf = (answer: Json, envelope = 'data'): unknown =>
  (answer[envelope] as Json | undefined)?.['id'] ?? answer['id'];
