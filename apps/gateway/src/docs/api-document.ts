import { UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addExamples, type Example } from './examples.ts';

type Members = Record<string, unknown>;

interface Tag {
  readonly name: string;
}

export interface ApiDocument {
  readonly paths: Members;
  readonly components?: Readonly<Record<string, Members>>;
  readonly tags?: readonly Tag[];
  readonly [member: string]: unknown;
}

const INFO = {
  title: 'Gatehouse',
  version: '1',
  summary: 'Identity, tenancy and privileged access of a managed-service platform.',
  description: `
People send an access token (\`POST /auth/login\`, then \`POST /auth/refresh\` every 15 minutes) as \`Authorization: Bearer\`,
programs an API key as \`X-API-Key\`, agents the token of their enrolment.

**Errors** are problem documents (RFC 9457) with a \`code\` from a closed list; each operation names its own. Besides,
any address answers 404 \`route_not_found\` when it does not exist, and 431 \`header_fields_too_large\` when the headers
exceed 16 KB. A browser that opens an address of single sign-on (\`Accept: text/html\`) sees a page instead.

**Unknown members** of bodies and unknown query parameters are refused, because a misspelt one must never widen what is
granted. Responses can gain members at any time; ignore those that you do not know.

**Lists** come in pages (\`page\` from 1, \`limit\` up to 100) with \`pagination\`, or with a cursor where it grows
while you read.

**Repetition.** Send an \`Idempotency-Key\` with POST and PATCH, and wait as long as \`Retry-After\` says.

**Privileged actions** require a second factor confirmed within the last 12 hours; without it the response is 403
\`mfa_required\`. API keys never have one.

**Times** are ISO 8601 in UTC with milliseconds, **ids** are UUIDs in lower case.
`.trim(),
  license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
};

/** In a checkout each service keeps its own document; a bundle has copies in `openapi/` beside it. */
const placesOf = (service: string): URL[] => [
  new URL(`./openapi/${service}.json`, import.meta.url),
  new URL(`../../../${service}/openapi.json`, import.meta.url),
];

/** Recorded by the end-to-end tests. */
const EXAMPLES = [
  new URL('./openapi/examples.json', import.meta.url),
  new URL('../../../../tools/openapi/examples.json', import.meta.url),
];

function readFirst<T>(places: readonly URL[]): T | null {
  const place = places.map((url) => fileURLToPath(url)).find((path) => existsSync(path));
  return place === undefined ? null : (JSON.parse(readFileSync(place, 'utf8')) as T);
}

/** Joins documents member by member; a name that occurs in two of them is the same contract class in both. */
function joinDocuments(documents: readonly ApiDocument[]): ApiDocument {
  const components: Record<string, Members> = {};
  for (const document of documents) {
    for (const [kind, named] of Object.entries(document.components ?? {}))
      components[kind] = { ...components[kind], ...named };
  }
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: [{ url: '/', description: 'The gateway that serves this document.' }],
    tags: [...new Map(documents.flatMap(({ tags }) => tags ?? []).map((tag) => [tag.name, tag])).values()],
    paths: Object.assign({}, ...documents.map(({ paths }) => withoutInternal(paths))) as Members,
    components,
  };
}

/** Removes the paths that the gateway does not route. */
const withoutInternal = (paths: Members): Members =>
  Object.fromEntries(Object.entries(paths).filter(([path]) => !path.includes('/internal/')));

/** The contract of the whole product, joined from the services' committed documents, with examples. */
export function apiDocument(): ApiDocument {
  const documents = UPSTREAM_NAMES.map((service) => readFirst<ApiDocument>(placesOf(service)));
  const joined = joinDocuments(documents.filter((document) => document !== null));
  addExamples(joined.paths, joined.components?.['schemas'] ?? {}, readFirst<Record<string, Example>>(EXAMPLES) ?? {});
  return joined;
}
