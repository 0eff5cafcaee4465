import { type Contract, type Operation, type Parameter, type Reference, type Route, routesOf } from './contract.ts';
import { memberComment, type Sources } from './document-schemas.ts';
import { operationIds } from './operation-ids.ts';
import { takesIdempotencyKey } from './problems.ts';
import type { HandlerSource } from './source-comments.ts';
import { tagOf } from './tags.ts';
import { memberText, pathParameterText } from './texts/common.ts';

const NO_SOURCE: HandlerSource = { path: '', comment: '', parameters: new Map(), query: null, ids: [] };
const REFRESH_COOKIE: Reference = { $ref: '#/components/parameters/RefreshCookie' };
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

/** What a caller needs, in words. */
function needsOf({ 'x-access': access }: Operation): string {
  if (access.kind === 'agent') return 'For agents, with their own token.';
  if (access.kind === 'internal') return 'For other services.';
  if (access.kind === 'public') return 'Needs no credential.';
  const needs = [
    access.permission && `the permission \`${access.permission}\``,
    access.levels && `${access.levels.map((level) => `\`${level}\``).join(' or ')} scope`,
    access.mfa && 'a second factor proved within the last 12 hours',
  ].filter(Boolean);
  return needs.length === 0
    ? 'For everyone who is signed in.'
    : `Needs ${needs.join(', ').replace(/, ([^,]*)$/, ' and $1')}.`;
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
}

const SECURITY: Readonly<Record<string, Operation['security']>> = {
  public: [],
  agent: [{ agentToken: [] }],
  user: [{ accessToken: [] }, { apiKey: [] }],
};

/** API keys never have a second factor. */
const securityOf = ({ 'x-access': access }: Operation): Operation['security'] =>
  access.kind === 'user' && access.mfa ? [{ accessToken: [] }] : SECURITY[access.kind];

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
  const common = commonParameters({ method, path, operation });
  if (common.length > 0) described.parameters = [...(described.parameters ?? []), ...common];
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
