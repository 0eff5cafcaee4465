import 'reflect-metadata';
import { getMetadataStorage, validateSync } from 'class-validator';

/** A setting is missing or malformed; the one-line message contains all that the operator needs. */
export class ConfigError extends Error {}

type ConfigClass<T extends object> = new () => T;
type Environment = Readonly<Record<string, string | undefined>>;

/** The name of the environment variable of a setting: `databaseUrlPam` is read from `DATABASE_URL_PAM`. */
export const envNameOf = (property: string): string =>
  property.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** The settings of a configuration class, in the order in which they are declared. */
export function settingsOf(type: ConfigClass<object>): string[] {
  const validators = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return [...new Set(validators.map(({ propertyName }) => propertyName))];
}

function parse(raw: string, type: unknown): unknown {
  if (type === Number) return raw.trim() === '' ? NaN : Number(raw);
  if (type === Boolean) return raw === 'true' ? true : raw === 'false' ? false : raw;
  return raw;
}

/**
 * Reads a class of settings from the environment. Services read `process.env` nowhere else.
 * @throws ConfigError that names each missing or malformed setting in one line
 */
export function loadConfig<T extends object>(type: ConfigClass<T>, environment: Environment): T {
  const config = new type();
  for (const property of settingsOf(type)) {
    const raw = environment[envNameOf(property)];
    if (raw === undefined || raw === '') continue;
    Reflect.set(config, property, parse(raw, Reflect.getMetadata('design:type', type.prototype as object, property)));
  }
  const faults = validateSync(config, { forbidUnknownValues: false });
  if (faults.length === 0) return config;
  const lines = faults.map(({ property, value, constraints }) => {
    const rule =
      Object.values(constraints ?? {})[0]
        ?.replace(property, '')
        .trim() ?? 'is malformed';
    return `${envNameOf(property)} ${value === undefined ? 'is missing' : rule}`;
  });
  throw new ConfigError(lines.join('; '));
}
