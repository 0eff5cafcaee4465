import { join } from 'node:path';
import { HEADERS, PARAMETERS, SECURITY_SCHEMES } from './components.ts';
import { type Contract, routesOf } from './contract.ts';
import { documentOperations, documentSchemas, type Sources } from './document-operations.ts';
import { addProblems } from './problems.ts';
import { entryComments, readSources } from './source-comments.ts';
import { TAGS } from './tags.ts';

const CODES = 'libs/contracts/core/src/error-codes.ts';

type Named = Record<string, unknown>;
const referredTo = (contract: Contract, kind: string, all: Named): Named => {
  const text = JSON.stringify(contract);
  return Object.fromEntries(Object.entries(all).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
};

/** Adds what the source says in comments, and what follows from access and method, to what the decorators say. */
export class Documenter {
  private readonly meanings: ReadonlyMap<string, string>;
  private readonly shared: Sources;

  constructor(private readonly repository: string) {
    this.meanings = entryComments(join(repository, CODES), 'ERROR_STATUS');
    this.shared = readSources([join(repository, 'libs')]);
  }

  document(service: string, contract: Contract): Contract {
    const own = readSources([join(this.repository, 'apps', service, 'src')]);
    const sources = new Map([...this.shared, ...own]);
    const responses = Object.assign(
      {},
      ...routesOf(contract).map((route) => addProblems(route, this.meanings)),
    ) as Named;
    documentSchemas(contract, sources);
    documentOperations(contract, sources);
    Object.assign(contract.components, { responses });
    const used = new Set(routesOf(contract).flatMap(({ operation }) => operation.tags ?? []));
    contract.tags = TAGS.filter(({ name }) => used.has(name)).map(({ name, description }) => ({ name, description }));
    Object.assign(contract.components, {
      parameters: referredTo(contract, 'parameters', PARAMETERS),
      headers: referredTo(contract, 'headers', HEADERS),
      securitySchemes: SECURITY_SCHEMES,
    });
    return contract;
  }
}
