import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The order of the services in the document. */
const SERVICES = ['identity', 'tenancy', 'pam', 'pam-ingest', 'audit', 'notifier'];

type Members = Record<string, unknown>;

export interface ApiDocument {
  readonly paths: Members;
  readonly components?: Readonly<Record<string, Members>>;
  readonly tags?: readonly unknown[];
  readonly [member: string]: unknown;
}

/** In a checkout each service keeps its own document; a bundle has copies in `openapi/` beside it. */
const placesOf = (service: string): URL[] => [
  new URL(`./openapi/${service}.json`, import.meta.url),
  new URL(`../../../${service}/openapi.json`, import.meta.url),
];

function documentOf(service: string): ApiDocument | null {
  const place = placesOf(service)
    .map((url) => fileURLToPath(url))
    .find((path) => existsSync(path));
  return place === undefined ? null : (JSON.parse(readFileSync(place, 'utf8')) as ApiDocument);
}

/** Joins documents member by member; a name that occurs in two of them is the same contract class in both. */
export function joinDocuments(documents: readonly ApiDocument[]): ApiDocument {
  const components: Record<string, Members> = {};
  for (const document of documents) {
    for (const [kind, named] of Object.entries(document.components ?? {}))
      components[kind] = { ...components[kind], ...named };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gatehouse',
      version: '1',
      description: 'Identity, tenancy and privileged access of a managed-service platform.',
    },
    servers: [{ url: '/' }],
    tags: documents.flatMap(({ tags }) => tags ?? []),
    paths: Object.assign({}, ...documents.map(({ paths }) => withoutInternal(paths))) as Members,
    components,
  };
}

/** Removes the paths that the gateway does not route. */
const withoutInternal = (paths: Members): Members =>
  Object.fromEntries(Object.entries(paths).filter(([path]) => !path.includes('/internal/')));

/** The contract of the whole product, joined from the services' committed documents. */
export const apiDocument = (): ApiDocument =>
  joinDocuments(SERVICES.map(documentOf).filter((document) => document !== null));
