import type { Route } from './contract.ts';
import { faultsOf, type Schemas } from './schema.ts';

export interface Exchange {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

const FIRST_SERVER_FAULT = 500;
const FIRST_REFUSAL = 400;
const MAX_SHOWN = 600;

function* faultsOfBody({ type, text }: Exchange, route: Route, status: number, schemas: Schemas): Generator<string> {
  const contents = route.responses.get(status) ?? {};
  if (Object.keys(contents).length === 0) return;
  const content = contents[type];
  if (!content) return yield `answers ${type || 'nothing'}, documented are ${Object.keys(contents).join(', ')}`;
  if (!/[/+]json$/.test(type)) return;
  for (const fault of faultsOf(JSON.parse(text) as unknown, content.schema, schemas))
    yield `the schema refuses the answer: ${fault}`;
}

/** What is wrong with an answer, by the contract. */
export function faultsIn(exchange: Exchange, route: Route, schemas: Schemas): string[] {
  const { status, text } = exchange;
  const shown = text.slice(0, MAX_SHOWN);
  if (status >= FIRST_SERVER_FAULT) return [`answers ${status}: ${shown}`];
  if (!route.responses.has(status)) return [`answers ${status}, which is not documented: ${shown}`];
  return [...faultsOfBody(exchange, route, status, schemas)]
    .slice(0, 3)
    .map((fault) => `${status}: ${fault}; ${shown}`);
}

/** Whether a closed route has done what its own schema of the body refuses. A body that is null counts as none. */
export function wronglyAccepted({ status }: Exchange, body: unknown, route: Route, schemas: Schemas): string[] {
  if (status >= FIRST_REFUSAL || body === null || !route.body || !route.isClosed) return [];
  return [...faultsOf(body, route.body.schema, schemas)]
    .slice(0, 1)
    .map((fault) => `${status} although the body ${fault}`);
}
