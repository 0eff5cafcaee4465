import { IDENTITY_HEADER, InternalIdentitySigner } from '@gatehouse/auth';
import { settingsFrom } from './settings.ts';

/** The services' internal routes, called as the gateway is allowed to. */
export interface Door {
  /**
   * @throws Error with the service's answer, if it is not a success
   */
  ask<T>(service: string, method: 'GET' | 'POST', path: string, body?: object): Promise<T>;
}

async function keyed(env: NodeJS.ProcessEnv) {
  const { urlOf, privateKey } = settingsFrom(env);
  return { urlOf, signer: await InternalIdentitySigner.parse(privateKey) };
}

/** The settings are read at the first question: not every command asks one, and a missing setting is told then. */
export function doorOf(env: NodeJS.ProcessEnv): Door {
  let opened: ReturnType<typeof keyed> | undefined;
  return {
    ask: async <T>(service: string, method: string, path: string, body?: object): Promise<T> => {
      const { urlOf, signer } = await (opened ??= keyed(env));
      const token = await signer.tokenFor(service, { principal: null, ip: null, service: 'operator' }, 'operator');
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
