import { DATABASES, SERVICE_NAMES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

describe('compose with TLS', () => {
  it('has every client of a server verify it', () => {
    const clients = [...SERVICE_NAMES, ...DATABASES.map((name) => `migrate-${name}`), 'backup'];
    const reaching = Object.entries(base).filter(([, { environment = {} }]) =>
      /@(postgres|nats|redis):/.test(JSON.stringify(environment)),
    );
    expect(reaching.map(([name]) => name).sort()).toEqual([...clients].sort());
    for (const name of clients) {
      const file = tls[name]?.environment?.['DATABASE_CA_FILE'];
      expect(tls[name]).toMatchObject({ environment: { NATS_CA_FILE: file, REDIS_CA_FILE: file } });
      expect(tls[name]?.volumes).toEqual([expect.stringMatching(`/authority.pem:${file}:ro$`)]);
    }
    expect(tls['provision']?.environment).toMatchObject({ PGSSLMODE: 'verify-full' });
  });

  it('gives each server its own certificate and key, after they were put into its volume', () => {
    for (const name of SERVERS) {
      expect(tls[name]?.volumes).toContain(`${name}-certificate:/tls:ro`);
      expect(tls[name]?.depends_on).toEqual({ certificates: { condition: 'service_completed_successfully' } });
      expect(tls['certificates']?.volumes).toContain(`${name}-certificate:/to-${name}`);
    }
  });

  it('has the servers speak nothing else', () => {
    expect(tls['postgres']?.command).toEqual(
      expect.arrayContaining(['ssl=on', 'hba_file=/etc/gatehouse/pg_hba.tls.conf']),
    );
    // The options of the base are kept.
    expect(tls['postgres']?.command).toEqual(expect.arrayContaining([...(base['postgres']?.command ?? [])]));
    const access = read('deploy/postgres/pg_hba.tls.conf').match(/^(?!#)\S+/gm);
    expect(access).toEqual(['local', 'hostssl']);
    expect(read('deploy/nats/nats.tls.conf')).not.toMatch(/allow_non_tls|verify: *false/);
    expect(tls['redis']?.command?.slice(0, 4)).toEqual(['sh', '/etc/gatehouse/start.sh', '--port', '0']);
  });
});

describe('compose', () => {
  it.each(SERVICE_NAMES)('lets %s log in at Redis as itself', (name) => {
    const setting = `REDIS_PASSWORD_${name.toUpperCase().replaceAll('-', '_')}`;
    expect(base[name]?.environment?.['REDIS_URL']).toBe(`redis://${name}:\${${setting}:?}@redis:6379`);
    expect(base['redis']?.environment?.[setting]).toBe(`\${${setting}:?}`);
  });
});

const REPOSITORY = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

interface Entry {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
}

const servicesIn = (path: string): Readonly<Record<string, Entry>> =>
  (parse(read(path), { merge: true }) as { services: Record<string, Entry> }).services;
const base = servicesIn('docker-compose.yml');
const tls = servicesIn('deploy/docker/compose.tls.yml');
const SERVERS = ['postgres', 'nats', 'redis'];
