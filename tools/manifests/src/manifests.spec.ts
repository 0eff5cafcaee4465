import { DATABASES, SERVICE_NAMES, SERVICES } from '@gatehouse/contracts-core';
import { STREAMS } from '@gatehouse/messaging';
import { ServiceConfig } from '@gatehouse/service';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyFaults, selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, render, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

if (!hasKubectl)
  process.stderr.write('SKIPPED: kubectl is not on the PATH, so the Kubernetes manifests are not checked\n');

(hasKubectl ? describe : describe.skip)('the Kubernetes manifests', () => {
  for (const overlay of ['overlays/local', 'overlays/production']) {
    describe(overlay, () => {
      const objects = hasKubectl ? render(overlay) : [];

      it('deploys every service', () => {
        const deployments = objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name);
        expect(deployments.sort()).toEqual([...SERVICE_NAMES].sort());
      });

      it('fits the schemas of Kubernetes', async () => {
        expect(await schemaFaults(objects)).toEqual([]);
      });

      it('keeps to the policy', () => {
        expect(policyFaults(objects)).toEqual([]);
      });

      it('gives each service time to drain before it is ended', () => {
        const settings = objects.find(({ metadata }) => metadata.name.startsWith('gatehouse-settings')) as object as {
          data: Record<string, string>;
        };
        const drain = Number(settings.data['DRAIN_DELAY_SECONDS']) + Number(settings.data['DRAIN_TIMEOUT_SECONDS']);
        const graces = objects
          .filter(({ kind }) => kind === 'Deployment')
          .map((object) => Number(podOf(object as object as Tree)['terminationGracePeriodSeconds']));
        expect(Math.min(...graces)).toBeGreaterThan(drain);
      });

      it('takes no pod out of its service for one slow second', () => {
        const deployments = objects.filter(({ kind }) => kind === 'Deployment');
        for (const object of deployments) {
          const { periodSeconds, timeoutSeconds, failureThreshold } = at(
            containerOf(object as object as Tree),
            'readinessProbe',
          );
          expect(Number(timeoutSeconds)).toBeGreaterThan(1);
          expect(Number(periodSeconds) * (Number(failureThreshold) - 1)).toBeGreaterThan(1);
        }
      });
    });
  }

  describe.each(SERVICE_NAMES)('base/%s', (service) => {
    it('builds by itself and names only its own objects', () => {
      const names = render(`base/${service}`).map(({ metadata }) => metadata.name);
      expect(names.filter((name) => name !== service && !name.startsWith(`${service}-`))).toEqual([]);
    });
  });

  describe('the check itself', () => {
    const objects = hasKubectl ? render('overlays/local') : [];
    const faultsOf = (title: string, change: (object: Tree) => void) => policyFaults(altered(objects, title, change));

    it('finds a container that may run as root', () => {
      expect(
        faultsOf('Deployment/pam', (object) => delete at(podOf(object), 'securityContext')['runAsNonRoot']),
      ).toContain('Deployment/pam: may run as root');
    });

    it('finds missing limits, probes, and a writable root', () => {
      const faults = faultsOf('Deployment/audit', (object) => {
        delete at(containerOf(object), 'resources')['limits'];
        delete containerOf(object)['livenessProbe'];
        delete at(containerOf(object), 'securityContext')['readOnlyRootFilesystem'];
      });
      expect(faults).toEqual(
        expect.arrayContaining(
          ['has no limits', 'lacks a probe', 'has a writable root file system'].map(
            (fault) => `Deployment/audit: service ${fault}`,
          ),
        ),
      );
    });

    it('finds a service without a network policy, and a namespace that denies nothing', () => {
      const without = objects.filter(
        ({ kind, metadata }) => kind !== 'NetworkPolicy' || !['pam', 'default-deny'].includes(metadata.name),
      );
      expect(policyFaults(without)).toEqual([
        'Deployment/pam: has no network policy',
        'nothing denies what is not allowed',
      ]);
    });

    it('finds a Job without a deadline', () => {
      expect(faultsOf('Job/pam-migrate', (object) => delete at(object, 'spec')['activeDeadlineSeconds'])).toEqual([
        'Job/pam-migrate: has no deadline',
      ]);
    });

    it('finds a wrong type', async () => {
      const wrong = altered(objects, 'Deployment/pam', (object) =>
        Object.assign(at(object, 'spec'), { revisionHistoryLimit: 'five' }),
      );
      expect(await schemaFaults(wrong)).toHaveLength(1);
    });
  });

  it('ends the heap of a service before its memory, and gives the gateway memory for all agents that it admits', () => {
    const read = (path: string): string => readFileSync(join(import.meta.dirname, '../../..', path), 'utf8');
    const numberIn = (path: string, text: RegExp): number => Number(text.exec(read(path))?.[1]);
    const image = 'deploy/docker/service.Dockerfile';
    const heap = numberIn(image, /--max-old-space-size-percentage=(\d+)/) / 100;
    // Three halves of the young generation, and what is no heap.
    const others = 3 * numberIn(image, /--max-semi-space-size=(\d+)/) + 64;
    const limits = render('overlays/production')
      .filter(({ kind }) => kind === 'Deployment')
      .map((object): [string, number] => [
        object.metadata.name,
        parseInt(String(at(containerOf(object as object as Tree), 'resources', 'limits')['memory'])),
      ]);
    expect(limits.filter(([, mebibytes]) => !(mebibytes * heap + others < mebibytes))).toEqual([]);
    const agents = numberIn('apps/gateway/README.md', /`MAX_WAITING_AGENTS` \| `(\d+)`/);
    const kilobytes = numberIn('docs/performance.md', /Each holds (\d+) KB there/);
    expect((agents * kilobytes) / 1024).toBeLessThan(Number(new Map(limits).get('gateway')) * heap);
  });

  it('adds replicas of the gateway by CPU and memory, and by the agents that wait where the cluster counts them', async () => {
    const metricsOf = (objects: readonly KubernetesObject[]): unknown =>
      objects.find((object) => titleOf(object) === 'HorizontalPodAutoscaler/gateway')?.spec?.['metrics'];
    const resources = [{ resource: { name: 'cpu' } }, { resource: { name: 'memory' } }];
    expect(metricsOf(render('overlays/production'))).toMatchObject(resources);
    const counted = renderWith({ resources: ['overlays/production'], components: ['components/waiting-agents'] });
    expect(metricsOf(counted)).toMatchObject([
      ...resources,
      { pods: { metric: { name: 'gatehouse_waiting_agents' }, target: { averageValue: '15000' } } },
    ]);
    expect(await schemaFaults(counted)).toEqual([]);
  });

  it('lets a server of NATS send its clients away before it ends', () => {
    for (const overlay of ['overlays/local', 'overlays/production']) {
      const objects = render(overlay);
      const nats = objects.find((object) => titleOf(object) === 'StatefulSet/nats') as object as Tree;
      const { args, lifecycle } = containerOf(nats) as object as { args: string[]; lifecycle: object };
      const pid = args[args.indexOf('--pid') + 1];
      expect(lifecycle).toEqual({ preStop: { exec: { command: ['nats-server', '--signal', `ldm=${pid}`] } } });
      const [map] = objects.filter(({ metadata }) => metadata.name.startsWith('nats-configuration'));
      const file = (map as object as { data: Record<string, string> }).data['nats.conf'] ?? '';
      const [duration = NaN, grace = NaN] = ['duration', 'grace_period'].map((name) =>
        Number(new RegExp(`^lame_duck_${name}: (\\d+)s$`, 'm').exec(file)?.[1]),
      );
      expect(Number(podOf(nats)['terminationGracePeriodSeconds'])).toBeGreaterThan(duration + grace);
    }
  });

  it('asks a server of NATS as its own chart does, and spreads the servers over zones and nodes', () => {
    const nats = render('overlays/production').find(
      (object) => titleOf(object) === 'StatefulSet/nats',
    ) as object as Tree;
    const pathOf = (probe: string): unknown => at(containerOf(nats), probe, 'httpGet')['path'];
    // One that catches up is not restarted; one that lost the others still takes its clients.
    expect(['startupProbe', 'readinessProbe', 'livenessProbe'].map(pathOf)).toEqual([
      '/healthz',
      '/healthz?js-server-only=true',
      '/healthz?js-enabled-only=true',
    ]);
    const spread = podOf(nats)['topologySpreadConstraints'] as object as { topologyKey: string }[];
    expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
  });

  it.each(['overlays/local', 'overlays/production'])(
    'gives in %s the streams of NATS less than it stores, and lets it store less than its volume',
    (overlay) => {
      const objects = render(overlay);
      const dataOf = (name: string): Record<string, string> =>
        (objects.find(({ metadata }) => metadata.name.startsWith(name)) as object as { data: Record<string, string> })
          .data;
      const streams = Number(dataOf('gatehouse-settings')['NATS_STREAMS_GIB']);
      // NATS takes a GB for 2^30 bytes.
      const stored = Number(/max_file_store: (\d+)GB/.exec(dataOf('nats-configuration')['nats.conf'] ?? '')?.[1]);
      const nats = objects.find((object) => titleOf(object) === 'StatefulSet/nats') as object as Tree;
      const claim = at(nats, 'spec', 'volumeClaimTemplates', '0', 'spec', 'resources', 'requests');
      expect(STREAMS.reduce((sum, { percent }) => sum + percent, 0)).toBeLessThanOrEqual(100);
      expect(streams).toBeLessThan(stored);
      // Beside the streams lie the logs of their replication.
      expect(stored).toBeLessThanOrEqual(parseInt(String(claim['storage'])) * 0.8);
    },
  );

  it('gives each stream its share by what a device needs, as the page on performance and capacity says', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/performance.md'), 'utf8');
    const row = /^ +\| `([A-Z]+)` \| (\d+) days \|.*\| (\d+) % \| (\d+) kB \|$/gm;
    const told = [...page.matchAll(row)].map(([, name, days, percent]) => [name, Number(days), Number(percent)]);
    expect(told).toEqual(STREAMS.map(({ name, maxAgeDays, percent }) => [name, maxAgeDays, percent]));
    const settings = render('overlays/production').find(({ metadata }) =>
      metadata.name.startsWith('gatehouse-settings'),
    );
    const bytes = Number((settings as object as { data: Record<string, string> }).data['NATS_STREAMS_GIB']) * 2 ** 30;
    const devices = [...page.matchAll(row)].map(
      ([, , , percent, kilobytes]) => (bytes * Number(percent)) / 100 / (Number(kilobytes) * 1000),
    );
    const stated = Number(/volume holds the events of\s+([\d ]+) devices/.exec(page)?.[1]?.replaceAll(' ', ''));
    expect(stated).toBeGreaterThan(150_000);
    expect(Math.min(...devices)).toBeGreaterThan(stated);
  });

  it('watches PostgreSQL, NATS and Redis by exporters, where they are wanted', async () => {
    const objects = renderWith({ resources: ['overlays/production'], components: ['components/exporters'] });
    expect([...policyFaults(objects), ...(await schemaFaults(objects))]).toEqual([]);
    const own = objects.filter(({ metadata }) => metadata.name.startsWith('exporters'));
    const endpoints = own.find(({ kind }) => kind === 'PodMonitor')?.spec?.['podMetricsEndpoints'];
    const exporters = own.find(({ kind }) => kind === 'StatefulSet') as object as Tree;
    const containers = Object.values(at(podOf(exporters), 'containers'));
    expect(endpoints).toEqual(containers.map(({ name }) => ({ port: name })));
    // Redis knows the exporter as a user of its own, which may count and ask for INFO.
    const redis = objects.find((object) => titleOf(object) === 'StatefulSet/redis');
    expect(JSON.stringify(redis)).toContain('"name":"REDIS_PASSWORD_EXPORTER"');
    expect(JSON.stringify(exporters)).not.toMatch(/gatehouse-(redis|nats|postgres)"/);
  });

  it('lets no server into the NATS cluster without its password', () => {
    const objects = render('overlays/production');
    const configuration = objects.find(({ metadata }) => metadata.name.startsWith('nats-configuration')) as object as {
      data: Record<string, string>;
    };
    expect(configuration.data['nats.conf']).toMatch(
      /cluster \{[^}]*authorization \{ user: gatehouse, password: \$NATS_CLUSTER_PASSWORD \}/,
    );
    const { args } = containerOf(
      objects.find((object) => titleOf(object) === 'StatefulSet/nats') as object as Tree,
    ) as object as { args: string[] };
    const routes = args[args.indexOf('--routes') + 1]?.split(',') ?? [];
    expect(routes).toEqual(
      [0, 1, 2].map((at) => `nats://gatehouse:$(NATS_CLUSTER_PASSWORD)@nats-${at}.nats-peers:6222`),
    );
  });

  it('lets every service reach a copy of Redis that takes the place of a lost server', () => {
    const objects = render('overlays/production');
    const labelsOf = (name: string, component: string) => ({
      'app.kubernetes.io/name': name,
      'app.kubernetes.io/component': component,
      'app.kubernetes.io/part-of': 'gatehouse',
    });
    const copy = labelsOf('redis-replica', 'part');
    const portsAtCopy = (service: string): number[] =>
      objects
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .map(({ spec }) => spec as object as Policy)
        .filter(({ podSelector }) => selects(podSelector, labelsOf(service, 'service')))
        .flatMap(({ egress = [] }) => egress)
        .filter(({ to = [] }) => to.some(({ podSelector: peer }) => peer && selects(peer, copy)))
        .flatMap(({ ports = [] }) => ports.map(({ port }) => port));
    expect(SERVICE_NAMES.map((service) => [service, portsAtCopy(service)])).toEqual(
      SERVICE_NAMES.map((service) => [service, [6379]]),
    );
  });

  it('runs without a Redis of its own', () => {
    const objects = renderWith({ resources: ['overlays/production'], components: ['components/managed-redis'] });
    expect(objects.map(titleOf).filter((title) => title.includes('redis'))).toEqual(['NetworkPolicy/external-redis']);
    expect(policyFaults(objects)).toEqual([]);
  });

  it.each([
    ['overlays/production', /`max_connections = (\d+)`/, 'docs/operations.md'],
    ['overlays/local', /max_connections=(\d+)/, 'deploy/postgres/postgres.yaml'],
  ] as const)(
    'need, at the maxima of %s and in the midst of a release, no more connections than stated',
    (overlay, stated, page) => {
      const objects = render(overlay);
      const pools = new ServiceConfig();
      const each = pools.databasePoolRequests + pools.databasePoolBackground + pools.databasePoolSystem;
      const replicasOf = (name: string): number => {
        const of = (kind: string): Tree =>
          objects.find((object) => titleOf(object) === `${kind}/${name}`) as object as Tree;
        const surge = at(of('Deployment'), 'spec', 'strategy', 'rollingUpdate')['maxSurge'];
        return Number(at(of('HorizontalPodAutoscaler'), 'spec')['maxReplicas']) + Number(surge);
      };
      const owners = SERVICES.filter(({ database }) => database).map(({ name }) => name);
      const needed = owners.reduce((sum, name) => sum + replicasOf(name) * each, 0) + MIGRATIONS_AND_BACKUP;
      const budget = Number(stated.exec(readFileSync(join(import.meta.dirname, '../../..', page), 'utf8'))?.[1]);
      expect(needed).toBeGreaterThan(budget / 2);
      expect(needed).toBeLessThanOrEqual(budget);
    },
  );

  it('lets every service with a database reach a pooler, which holds a fixed number of sessions at the server', async () => {
    const objects = renderWith({ resources: ['overlays/production'], components: ['components/pgbouncer'] });
    expect([...policyFaults(objects), ...(await schemaFaults(objects))]).toEqual([]);
    const settings = objects.filter(({ metadata }) => metadata.name.startsWith('gatehouse-settings'));
    expect(settings).toMatchObject([{ data: { DATABASE_POOLED: 'true' } }]);
    const pooler = objects.find((object) => titleOf(object) === 'StatefulSet/pgbouncer') as object as Tree;
    const [map] = objects.filter(({ metadata }) => metadata.name.startsWith('pgbouncer-configuration'));
    const file = (map as object as { data: Record<string, string> }).data['pgbouncer.ini'] ?? '';
    const numberOf = (name: string): number => Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(file)?.[1]);
    const sessions = Number(at(pooler, 'spec')['replicas']) * numberOf('max_db_connections') * DATABASES.length;
    expect(sessions).toBe(400);
    expect(numberOf('max_client_conn')).toBeGreaterThanOrEqual(1200);
    expect(file).toMatch(/^pool_mode = transaction$/m);
    expect(file).toMatch(/^server_tls_sslmode = verify-full$/m);
  });

  it('carries the monitoring objects into production', () => {
    expect(render('overlays/production').map(titleOf)).toEqual(
      expect.arrayContaining([
        'PodMonitor/gatehouse',
        'PrometheusRule/gatehouse',
        'ConfigMap/gatehouse-dashboard',
        'NetworkPolicy/traces',
      ]),
    );
  });
});

describe('a label selector', () => {
  it('picks by equality and by lists', () => {
    const labels = { name: 'pam', component: 'service' };
    expect(selects({ matchLabels: { name: 'pam' } }, labels)).toBe(true);
    expect(selects({ matchLabels: { name: 'audit' } }, labels)).toBe(false);
    expect(selects({ matchExpressions: [{ key: 'name', operator: 'NotIn', values: ['pam'] }] }, labels)).toBe(false);
    expect(selects({ matchExpressions: [{ key: 'component', operator: 'In', values: ['service'] }] }, labels)).toBe(
      true,
    );
  });
});

/** Each migration has one; a backup holds one for each database, and dumps over another. */
const MIGRATIONS_AND_BACKUP = 3 * DATABASES.length;

type Tree = { [key: string]: Tree };
type Selector = Parameters<typeof selects>[0];

interface Policy {
  readonly podSelector: Selector;
  readonly egress?: readonly {
    readonly to?: readonly { readonly podSelector?: Selector }[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}

/** The objects with one of them changed. */
function altered(
  objects: readonly KubernetesObject[],
  title: string,
  change: (object: Tree) => void,
): KubernetesObject[] {
  const copy = structuredClone(objects) as KubernetesObject[];
  const found = copy.find((object) => titleOf(object) === title);
  if (!found) throw new Error(`there is no ${title}`);
  change(found as object as Tree);
  return copy;
}

const at = (tree: Tree, ...path: string[]): Tree => path.reduce<Tree>((node, key) => node[key] ?? {}, tree);
const podOf = (object: Tree): Tree => at(object, 'spec', 'template', 'spec');
const containerOf = (object: Tree): Tree => at(podOf(object), 'containers', '0');
