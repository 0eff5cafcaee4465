import { addressSettingOf, type ServiceName, UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { envNameOf, ServiceConfig, settingsOf } from '@gatehouse/service';
import { getMetadataStorage } from 'class-validator';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { REPOSITORY } from './definitions.ts';
import { code, tableOf } from './routes.ts';

/** A doc comment, decorators, and the property that they describe. */
const DOCUMENTED =
  /^ {2}\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:(?! {2}\w).*\n)*? {2}(?:override |get )?(\w+)(?:[!?]|\(\))?:/gm;

type Config = new () => object;

/** The doc comments of a configuration class by property. */
export function commentsIn(source: string): Map<string, string> {
  const comments = [...source.matchAll(DOCUMENTED)].map(([, comment = '', property = '']): [string, string] => [
    property,
    comment
      .replace(/^\s*\*/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]);
  return new Map(comments);
}

/** @param folder where the class's file is, or a folder above it */
function commentsOf(folder: string, file: string): Map<string, string> {
  const path = readdirSync(join(REPOSITORY, folder), { recursive: true }).find(
    (each) => basename(String(each)) === file,
  );
  if (path === undefined) throw new Error(`there is no ${file} in ${folder}`);
  return commentsIn(readFileSync(join(REPOSITORY, folder, String(path)), 'utf8'));
}

/** A setting without a comment of its own is the address of a service. */
function meaningOf(property: string, comments: ReadonlyMap<string, string>): string {
  const name = envNameOf(property);
  const service = UPSTREAM_NAMES.find((upstream) => addressSettingOf(upstream) === name);
  const meaning = comments.get(property) ?? (service && `The address of ${service}.`);
  if (meaning === undefined) throw new Error(`the setting ${name} has no doc comment`);
  return meaning;
}

const isOptional = (type: Config, property: string): boolean =>
  getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .some(({ propertyName, type: kind }) => propertyName === property && kind === 'conditionalValidation');

function defaultOf(type: Config, property: string): string {
  const value: unknown = Reflect.get(new type(), property);
  if (value !== undefined) return code(String(value));
  return isOptional(type, property) ? '–' : 'required';
}

const tableFor = (type: Config, properties: readonly string[], comments: ReadonlyMap<string, string>): string => {
  const rows = properties.map((property) => [
    code(envNameOf(property)),
    defaultOf(type, property),
    meaningOf(property, comments),
  ]);
  return tableOf(['setting', 'default', 'meaning'], rows, 'None of its own.');
};

export const sharedSettings = (): string =>
  tableFor(ServiceConfig, settingsOf(ServiceConfig), commentsOf('libs/platform/service/src', 'service.config.ts'));

/** The settings that a service has beside those of every service. */
export function ownSettings(service: ServiceName, type: Config): string {
  const shared = settingsOf(ServiceConfig);
  const own = settingsOf(type).filter((property) => !shared.includes(property));
  return tableFor(type, own, commentsOf(`apps/${service}/src`, `${service}.config.ts`));
}
