import {
  type Contract,
  type Operation,
  type Parameter,
  type Reference,
  type Route,
  routesOf,
  type Schema,
} from './contract.ts';
import { takesIdempotencyKey } from './problems.ts';
import type { ClassSource, HandlerSource } from './source-comments.ts';
import { tagOf } from './tags.ts';
import { memberText, pathParameterText } from './texts/common.ts';

const camel = (text: string): string =>
  text
    .replaceAll(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]+(?=[A-Z][a-z]| |$)|^[A-Z]/, (start) => start.toLowerCase());

interface Named {
  readonly resource: string;
  readonly controller: string;
  readonly method: string;
  /** Tells the second address of one handler from the first. */
  readonly alias: string;
}

function namesOf({ operation }: Route): Named {
  const [, controller = '', method = '', at = '0'] = /^(\w+)\.(\w+)(?:\[(\d+)\])?$/.exec(operation.operationId) ?? [];
  const resource = camel(tagOf(operation.tags?.[0] ?? '').name.replace(/^[A-Z]+(?= )/, (word) => word.toLowerCase()));
  return { resource, controller: camel(controller), method, alias: at === '0' ? '' : 'Alias' };
}

const idOf = ({ resource, method, alias }: Named): string => `${resource}.${method}${alias}`;

/**
 * The readable id of each operation: its resource and its method, `elevationRequests.list`. Where two controllers of
 * one resource have a method of the same name, that of the controller that is not named for the resource is called by
 * its controller: `effectiveConfiguration.get`.
 */
function operationIds(routes: readonly Route[]): ReadonlyMap<Route['operation'], string> {
  const named = routes.map(namesOf);
  const uses = new Map<string, number>();
  for (const each of named) uses.set(idOf(each), (uses.get(idOf(each)) ?? 0) + 1);
  const ids = named.map((each) =>
    (uses.get(idOf(each)) ?? 0) > 1 ? idOf({ ...each, resource: each.controller }) : idOf(each),
  );
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`two operations would be called ${twice}: give one handler another name`);
  return new Map(routes.map(({ operation }, index) => [operation, ids[index] ?? '']));
}

export type Sources = ReadonlyMap<string, ClassSource>;

/** The comment of a member, in its class or in one that the class extends. */
function memberComment(sources: Sources, type: string | null, member: string): string | undefined {
  for (let source = sources.get(type ?? ''); source; source = sources.get(source.extended ?? '')) {
    const comment = source.members.get(member);
    if (comment) return comment;
  }
  return memberText(sources.get(type ?? '')?.path ?? '', type, member);
}

/** OpenAPI 3.1 takes a description beside a reference, and a schema without a type for any value. */
function plainSchema(schema: Schema): Schema {
  const { allOf, anyOf, ...rest } = schema;
  if (JSON.stringify(anyOf) === '[{}]') return rest;
  const [only, ...others] = allOf ?? [];
  return only?.$ref !== undefined && others.length === 0 ? { ...rest, ...only } : schema;
}

/** Writes the comments of the classes into their schemas. */
export function documentSchemas({ components }: Contract, sources: Sources): void {
  for (const [name, schema] of Object.entries(components.schemas)) {
    const comment = sources.get(name)?.comment;
    if (comment && !schema.description) schema.description = comment;
    for (const [member, property] of Object.entries(schema.properties ?? {})) {
      const plain = plainSchema(property);
      plain.description ??= memberComment(sources, name, member);
      if (plain.description === undefined) delete plain.description;
      schema.properties![member] = plain;
    }
  }
}

const NO_SOURCE: HandlerSource = { path: '', comment: '', parameters: new Map(), query: null, ids: [] };
const REFRESH_COOKIE: Reference = { $ref: '#/components/parameters/RefreshCookie' };
const IF_MATCH: Reference = { $ref: '#/components/parameters/IfMatch' };
const IDEMPOTENCY_KEY: Reference = { $ref: '#/components/parameters/IdempotencyKey' };

function handlerOf(sources: Sources, operationId: string): HandlerSource {
  const [controller = '', method = ''] = operationId.replace(/\[\d+\]$/, '').split('.');
  return sources.get(`${controller}Controller`)?.handlers.get(method) ?? NO_SOURCE;
}

/** The first sentence is the summary, the rest the description. */
function partsOf(comment: string): { summary?: string; description?: string } {
  if (comment === '') return {};
  const [, first = comment, rest = ''] = /^(.+?[.?!])(?:\s+([\s\S]*))?$/.exec(comment) ?? [];
  return { summary: first.replace(/\.$/, ''), ...(rest.trim() && { description: rest.trim() }) };
}

const NEEDS = {
  agent: 'For agents, authenticated by their own token.',
  setup: 'For visitors of a set-up link, authenticated by the token of their visit.',
  internal: 'For other services.',
  operator: 'For operators.',
  public: 'Requires no authentication.',
};

/** What a caller needs, in words. */
function needsOf({ 'x-access': access }: Operation): string {
  if (access.kind !== 'user') return NEEDS[access.kind];
  const needs = [
    access.sessionOnly && 'a session (an API key has none)',
    access.permission && `the permission \`${access.permission}\``,
    access.levels && `${access.levels.map((level) => `\`${level}\``).join(' or ')} scope`,
    access.mfa && 'a second factor confirmed within the last 12 hours',
  ].filter(Boolean);
  return needs.length === 0
    ? 'For all signed-in users.'
    : `Requires ${needs.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`;
}

function describeOperation(operation: Operation, id: string, { comment }: HandlerSource): Operation {
  const { summary, description } = partsOf(comment);
  const whole = [description ?? operation.description, needsOf(operation)].filter(Boolean).join('\n\n');
  const { operationId: _, tags, ...rest } = operation;
  return {
    operationId: id,
    ...(summary !== undefined && { summary }),
    ...(whole !== '' && { description: whole }),
    tags: (tags ?? []).map((tag) => tagOf(tag).name),
    ...rest,
  } as Operation;
}

function parameterText(parameter: Parameter, operation: Operation, handler: HandlerSource, sources: Sources): string {
  const { name } = parameter;
  const own = handler.parameters.get(name) ?? parameter.description ?? '';
  if (own) return own;
  if (parameter.in === 'path') return pathParameterText(name, tagOf(operation.tags?.[0] ?? '').singular);
  return memberComment(sources, handler.query, name) ?? memberText(handler.path, handler.query, name) ?? '';
}

function describeParameter(parameter: Parameter, operation: Operation, handler: HandlerSource, sources: Sources): void {
  const { name } = parameter;
  const text = parameterText(parameter, operation, handler, sources);
  if (text) parameter.description = text;
  if (parameter.in === 'path' && (handler.ids.includes(name) || name.endsWith('Id')))
    parameter.schema = { type: 'string', format: 'uuid' };
  if (parameter.schema && !parameter.schema.type && !parameter.schema.$ref) parameter.schema.type = 'string';
}

const SECURITY: Readonly<Record<string, Operation['security']>> = {
  public: [],
  agent: [{ agentToken: [] }],
  setup: [{ setupVisit: [] }],
  user: [{ accessToken: [] }, { apiKey: [] }],
};

/** API keys never have a second factor, and no session. */
const securityOf = ({ 'x-access': access }: Operation): Operation['security'] =>
  access.kind === 'user' && (access.mfa || access.sessionOnly) ? [{ accessToken: [] }] : SECURITY[access.kind];

const commonParameters = (route: Route): Reference[] => [
  ...(takesIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : []),
  ...(route.path.endsWith('/auth/refresh') ? [REFRESH_COOKIE] : []),
];

function documented({ method, path, operation }: Route, id: string, sources: Sources): Operation {
  const handler = handlerOf(sources, operation.operationId);
  for (const parameter of operation.parameters ?? [])
    if ('name' in parameter) describeParameter(parameter, operation, handler, sources);
  const described = describeOperation(operation, id, handler);
  described.security = securityOf(operation);
  const own = (described.parameters ?? []).map((one) => ('name' in one && one.name === 'If-Match' ? IF_MATCH : one));
  described.parameters = [...own, ...commonParameters({ method, path, operation })];
  if (described.parameters.length === 0) delete described.parameters;
  for (const response of Object.values(described.responses))
    if ('description' in response) response.description ||= 'Done.';
  return described;
}

/** Writes the handlers' comments, readable ids, tags, security and common parameters into the operations. */
export function documentOperations(contract: Contract, sources: Sources): void {
  const routes = routesOf(contract);
  const ids = operationIds(routes);
  for (const route of routes)
    contract.paths[route.path]![route.method.toLowerCase()] = documented(
      route,
      ids.get(route.operation) ?? '',
      sources,
    );
}
