import { DATABASES, settingOf } from '@gatehouse/contracts-core';
import { BROKER_ADMIN, brokerUsers, renderBrokerAccounts } from '@gatehouse/messaging';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { madeSecrets } from './policy.ts';

const USERS = brokerUsers().map(({ user }) => user);

describe('the broker of compose and Kubernetes', () => {
  it('ATK-03e has the logins and permissions that the catalogue of traffic gives, and no other', () => {
    const made = read('deploy/nats/accounts.conf').split('\n').slice(1).join('\n');
    expect(made).toBe(renderBrokerAccounts((user) => `$${passwordOf(user)}`));
    for (const file of ['deploy/nats/nats.conf', 'deploy/k8s/overlays/production/nats.conf']) {
      expect(read(file).match(/^(authorization|accounts|include) .*$/gm)).toEqual([`include 'accounts.conf'`]);
    }
  });

  it('ATK-03e gives an empty list of subjects as a denial: the server takes it for leave to do everything', () => {
    expect(renderBrokerAccounts(() => '"x"')).not.toMatch(/allow: \[\s*\]/);
  });

  it.each(USERS)(
    'ATK-03e lets %s log in as itself in compose, with a password and a sealing key of its own',
    (service) => {
      const { services } = parse(read('docker-compose.yml'), { merge: true }) as Compose;
      const key = service === 'pam-ingest' ? 'PAM' : settingOf(service);
      expect(services[service]?.environment).toMatchObject({
        NATS_URL: `nats://${service}:\${${passwordOf(service)}:?}@nats:4222`,
        SECRET_ENCRYPTION_KEYS: `\${SECRET_ENCRYPTION_KEY_${key}:?}`,
      });
      expect(services['nats']?.environment?.[passwordOf(service)]).toBe(`\${${passwordOf(service)}:?}`);
    },
  );

  it('ATK-03e gets secrets of which each service has its own alone, and migrations the administrator of the broker', () => {
    const items = madeSecrets();
    const dataOf = (name: string): Readonly<Record<string, string>> =>
      items.find(({ metadata }) => metadata.name === name)?.stringData ?? {};
    const broker = dataOf('gatehouse-nats');
    for (const service of USERS)
      expect(dataOf(`gatehouse-${service}`)['NATS_URL']).toBe(
        `nats://${service}:${broker[passwordOf(service)]}@nats:4222`,
      );
    expect(new Set(USERS.map((service) => broker[passwordOf(service)])).size).toBe(USERS.length);
    // pam and pam-ingest share a database, and so its sealing key.
    expect(new Set(USERS.map((service) => dataOf(`gatehouse-${service}`)['SECRET_ENCRYPTION_KEY'])).size).toBe(
      USERS.length - 1,
    );
    const administrators = items
      .filter(({ stringData }) => JSON.stringify(stringData).includes(broker['NATS_PASSWORD'] ?? '?'))
      .map(({ metadata }) => metadata.name);
    expect(administrators.sort()).toEqual(
      ['gatehouse-nats', ...DATABASES.map((database) => `gatehouse-${database}-migrate`)].sort(),
    );
  });
});

const REPOSITORY = join(import.meta.dirname, '../../..');
const read = (...path: string[]): string => readFileSync(join(REPOSITORY, ...path), 'utf8');
const passwordOf = (user: string): string =>
  user === BROKER_ADMIN ? 'NATS_PASSWORD' : `NATS_PASSWORD_${settingOf(user)}`;

interface Compose {
  readonly services: Readonly<Record<string, { readonly environment?: Readonly<Record<string, string>> }>>;
}
