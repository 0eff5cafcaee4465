import { DefaultNamingStrategy, type NamingStrategyInterface } from 'typeorm';

const camelNames = new Map<string, string>();

/** Remembered, because each row of each answer needs it; column names are few. */
export function toCamel(name: string): string {
  const known = camelNames.get(name);
  if (known !== undefined) return known;
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(name, camel);
  return camel;
}
export const toSnake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Entities speak camelCase, tables snake_case; nobody writes the mapping by hand. */
export class SnakeCaseNaming extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? toSnake(className).replace(/^_/, '');
  }

  override columnName(propertyName: string, customName: string | undefined, prefixes: string[]): string {
    return [...prefixes, customName ?? toSnake(propertyName)].join('_');
  }
}
