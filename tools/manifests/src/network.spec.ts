import { DATABASES, SERVICE_NAMES, SERVICES, UPSTREAM_NAMES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, renderWith } from './policy.ts';

/** Who may open a connection to whom, as a network plugin would read the policies. */
class Network {
  private readonly pods = new Map<string, Pod>();
  private readonly policies: Policy[];

  constructor(objects: readonly KubernetesObject[]) {
    for (const object of objects) {
      const pod = podOf(object);
      if (pod) this.pods.set(object.metadata.name, pod);
    }
    this.policies = objects.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec as object as Policy);
  }

  /** The ports of the pod `to` that the pod `from` reaches: let out by a policy of its own, and let in there. */
  between(from: string, to: string): number[] {
    const [source, target] = [this.pod(from), this.pod(to)];
    const ports = [...target.ports].filter(([port, name]) => {
      const isOpen = (rules: readonly Rule[], side: 'from' | 'to', labels: Labels): boolean =>
        rules.some(
          ({ ports: open = [], [side]: peers = [] }) =>
            open.some(({ port: allowed }) => allowed === port || allowed === name) &&
            peers.some(
              ({ podSelector, namespaceSelector }) => podSelector && !namespaceSelector && selects(podSelector, labels),
            ),
        );
      return (
        isOpen(this.rulesOf(source, 'egress'), 'to', target.labels) &&
        isOpen(this.rulesOf(target, 'ingress'), 'from', source.labels)
      );
    });
    return ports.map(([port]) => port).sort();
  }

  /** Whether a policy lets the pod resolve names. */
  resolves(from: string): boolean {
    return this.rulesOf(this.pod(from), 'egress').some(
      ({ ports = [], to = [] }) => ports.some(({ port }) => port === 53) && to.some((peer) => peer.namespaceSelector),
    );
  }

  get names(): string[] {
    return [...this.pods.keys()];
  }

  private pod(name: string): Pod {
    const pod = this.pods.get(name);
    if (!pod) throw new Error(`there is no ${name}`);
    return pod;
  }

  private rulesOf({ labels }: Pod, direction: 'ingress' | 'egress'): readonly Rule[] {
    return this.policies
      .filter(({ podSelector }) => selects(podSelector, labels))
      .flatMap((policy) => policy[direction] ?? []);
  }
}

(hasKubectl ? describe : describe.skip)('the network policies', () => {
  const network = new Network(
    hasKubectl
      ? renderWith({
          resources: ['overlays/local', 'jobs/operate', 'jobs/restore', 'jobs/restore-organization'],
          components: ['components/backup', 'components/exporters'],
        })
      : [],
  );
  const told = (connections: readonly (readonly [string, string, number])[]): string[] =>
    connections.map(([from, to, port]) => `${from} → ${to}:${port}`).sort();

  it('allow the connections that the product makes between its pods, and no other', () => {
    const open = network.names.flatMap((from) =>
      network.names.flatMap((to) => network.between(from, to).map((port) => [from, to, port] as const)),
    );
    expect(told(open)).toEqual(told(NEEDED));
  });

  it('let every pod resolve names that opens connections', () => {
    const openers = new Set(NEEDED.map(([from]) => from));
    expect([...openers].filter((name) => !network.resolves(name))).toEqual([]);
  });
});

type Labels = Readonly<Record<string, string>>;
type Selector = Parameters<typeof selects>[0];

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: object;
}

interface Rule {
  readonly ports?: readonly { readonly port: number | string }[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

interface Policy {
  readonly podSelector: Selector;
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

interface Template {
  readonly metadata: { readonly labels: Labels };
  readonly spec: {
    readonly containers: readonly {
      readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
    }[];
  };
}

/** Pods of the installation, by the name of the workload. */
interface Pod {
  readonly labels: Labels;
  readonly ports: ReadonlyMap<number, string>;
}

function podOf({ spec = {} }: KubernetesObject): Pod | null {
  const { jobTemplate, template = jobTemplate?.spec.template } = spec as {
    template?: Template;
    jobTemplate?: { spec: { template: Template } };
  };
  if (!template) return null;
  const open = template.spec.containers.flatMap(({ ports = [] }) => ports);
  return {
    labels: template.metadata.labels,
    ports: new Map(open.map(({ name, containerPort }) => [containerPort, name])),
  };
}

const MIGRATIONS = DATABASES.map((database) => `${database}-migrate`);
const WITH_DATABASE = SERVICES.filter(({ database }) => database).map(({ name }) => name);

/** Every connection that the product makes inside the cluster. */
const NEEDED: [string, string, number][] = [
  ...UPSTREAM_NAMES.flatMap((name): [string, string, number][] => [
    ['gateway', name, 8080],
    ['operate', name, 8080],
  ]),
  ...SERVICE_NAMES.flatMap((name): [string, string, number][] => [
    [name, 'nats', 4222],
    [name, 'redis', 6379],
  ]),
  ...MIGRATIONS.map((name): [string, string, number] => [name, 'nats', 4222]),
  ...[...WITH_DATABASE, ...MIGRATIONS, 'provision', 'backup', 'restore', 'restore-organization'].map(
    (name): [string, string, number] => [name, 'postgres', 5432],
  ),
  ['restore-organization', 'identity', 8080],
  ['restore-organization', 'tenancy', 8080],
  ['exporters', 'nats', 8222],
  ['exporters', 'redis', 6379],
  ['nats', 'nats', 6222],
];
