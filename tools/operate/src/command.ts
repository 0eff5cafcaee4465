import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import type { Operator } from '@gatehouse/contracts-core';
import type { ParseArgsConfig } from 'node:util';
import { settingsFrom } from './settings.ts';

/** The services' internal routes for operators. */
export interface Door {
  /**
   * @throws Error with the service's answer, if it is not a success
   */
  ask<T>(service: string, method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
}

/** Whom the audit log names, and the ticket that says why. */
export const OPERATOR_OPTIONS = { as: { type: 'string' }, ticket: { type: 'string' } } as const;

/** @throws Error when the person is not known */
export function operatorOf(env: NodeJS.ProcessEnv, { as, ticket }: Options): Operator {
  const name = typeof as === 'string' ? as : settingsFrom(env).person;
  if (!name) throw new Error('--as is missing: the audit log names the person');
  return { name, ticket: typeof ticket === 'string' ? ticket : null };
}

async function keyed(env: NodeJS.ProcessEnv, options: Options) {
  const { urlOf, privateKey, isOwnKey } = settingsFrom(env);
  const identity = { principal: null, ip: null, service: 'operator' };
  if (!isOwnKey) return { urlOf, identity, signer: await InternalIdentitySigner.parse(privateKey) };
  return {
    urlOf,
    identity: { ...identity, operator: operatorOf(env, options) },
    signer: await InternalIdentitySigner.parse(privateKey, 'operator'),
  };
}

/** The settings are read at the first question: not every command asks one, and a missing setting is told then. */
export function doorOf(env: NodeJS.ProcessEnv, options: Options = {}): Door {
  let opened: ReturnType<typeof keyed> | undefined;
  return {
    ask: async <T>(service: string, method: string, path: string, body?: object): Promise<T> => {
      const { urlOf, signer, identity } = await (opened ??= keyed(env, options));
      const token = await signer.tokenFor(service, identity, 'operator');
      const headers = { [IDENTITY_HEADER]: token, ...(body && { 'content-type': 'application/json' }) };
      const response = await fetch(`${urlOf(service)}/api/v1/internal${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${service} answered ${response.status}: ${text}`);
      return JSON.parse(text) as T;
    },
  };
}

export type Options = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** A command of an operator. Each is safe to repeat. */
export interface Command {
  /** The words that name it. */
  readonly name: string;
  readonly does: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /**
   * @param say writes a line for the operator
   * @param env the environment, for what is not asked of a service
   * @returns the exit code
   */
  run(door: Door, options: Options, say: (line: string) => void, env: NodeJS.ProcessEnv): Promise<number>;
}

/** The one service that the option names, or all. @throws Error for one that is not among them */
export function servicesFor(option: Options[string], all: readonly string[]): readonly string[] {
  if (option === undefined) return all;
  if (typeof option !== 'string' || !all.includes(option))
    throw new Error(`--service must be one of ${all.join(', ')}`);
  return [option];
}
