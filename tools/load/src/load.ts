import autocannon from 'autocannon';

export interface Load {
  readonly url: string;
  readonly seconds: number;
  readonly connections: number;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Requests a second over all connections; as many as possible when absent. */
  readonly overallRate?: number;
  /** Prepares the next request; called for each one. */
  readonly next?: () => { path?: string; body?: string; headers?: Record<string, string> };
}

export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers other than 2xx, and connections that broke. */
  readonly failures: number;
  readonly answered: number;
}

/** Loads one address and returns the results; latencies in milliseconds. */
export async function measure({
  url,
  seconds,
  connections,
  method = 'GET',
  headers = {},
  overallRate,
  next,
}: Load): Promise<Measured> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    method,
    headers: { ...headers },
    ...(overallRate && { overallRate }),
    ...(next && { requests: [{ method, setupRequest: (request) => fit(request, headers, next()) }] }),
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors,
    answered: result['2xx'],
  };
}

function fit(
  request: autocannon.Request,
  headers: Load['headers'],
  { path, body, headers: own }: ReturnType<NonNullable<Load['next']>>,
): autocannon.Request {
  return {
    ...request,
    ...(path && { path }),
    ...(body && { body }),
    headers: { ...request.headers, ...headers, ...own },
  };
}
