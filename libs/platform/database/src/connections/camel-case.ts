import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';

const camelNames = new Map<string, string>();

/** Cached, because every row of every result needs it and there are few column names. */
export function toCamel(name: string): string {
  const known = camelNames.get(name);
  if (known !== undefined) return known;
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(name, camel);
  return camel;
}
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Maps camelCase properties of entities to snake_case columns, so that entities need no explicit names. */
export class SnakeCaseNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? toSnake(className).replace(/^_/, '');
  }

  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? toSnake(propertyName)].join('_');
  }
}
