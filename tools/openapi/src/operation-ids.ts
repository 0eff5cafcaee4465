import type { Route } from './contract.ts';
import { tagOf } from './tags.ts';

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
export function operationIds(routes: readonly Route[]): ReadonlyMap<Route['operation'], string> {
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
