import type { Service, ServiceConfig } from '@gatehouse/service';
import { existsSync, readFileSync } from 'node:fs';

const PROBLEM = 'application/problem+json';

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, ProblemResponse>> };
}

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

interface ProblemResponse {
  readonly content: Readonly<Record<string, { readonly schema: { readonly allOf: readonly CodeSchema[] } }>>;
}

interface CodeSchema {
  readonly properties?: { readonly code: { readonly enum: readonly string[] } };
}

/** The contract of a service; null for one that a test has made. */
function contractOf(name: string): Contract | null {
  const path = new URL(`../../../apps/${name}/openapi.json`, import.meta.url);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Contract) : null;
}

function codesOf({ components }: Contract, operation: Operation, status: number): readonly string[] {
  const name = operation.responses[status]?.$ref?.split('/').at(-1) ?? '';
  const schema = components.responses[name]?.content[PROBLEM]?.schema;
  return schema?.allOf.flatMap(({ properties }) => properties?.code.enum ?? []) ?? [];
}

/** Collects the problems that a service answers and its contract does not name for the operation. */
export class UndocumentedProblems {
  private readonly found = new Set<string>();

  constructor({ app, platform }: Service<ServiceConfig>) {
    const contract = contractOf(platform.name);
    if (!contract) return;
    const server = app.getHttpAdapter().getInstance();
    server.addHook('onSend', (request, reply, payload, done) => {
      const path = request.routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}') ?? '';
      const operation = contract.paths[path]?.[request.method.toLowerCase()];
      if (operation && String(reply.getHeader('content-type')).startsWith(PROBLEM)) {
        const { code } = JSON.parse(String(payload)) as { code: string };
        if (!codesOf(contract, operation, reply.statusCode).includes(code))
          this.found.add(`${request.method} ${path}: ${reply.statusCode} ${code}`);
      }
      done(null, payload);
    });
  }

  /** @throws Error that names them */
  requireNone(): void {
    if (this.found.size > 0) throw new Error(`the contract does not name: ${[...this.found].sort().join(', ')}`);
  }
}
