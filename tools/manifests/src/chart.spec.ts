import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { policyFaults } from './policy.ts';
import { chart, hasKubectl, type KubernetesObject, parse, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

const read = (path: string): string => readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');
const file = (name: string): string => read(`helm/gatehouse/${name}`);

(hasKubectl ? describe : describe.skip)('the Helm chart', () => {
  it('is made from the Kustomize base', async () => {
    const program = new URL('../chart.mjs', import.meta.url).href;
    const { chartFiles } = (await import(program)) as { chartFiles(): Map<string, string> };
    for (const [name, text] of chartFiles()) expect(`${name}: ${file(name)}`).toBe(`${name}: ${text}`);
  });

  it('renders to the objects of the base', async () => {
    expect(byTitle(await chart())).toEqual(byTitle(renderWith({ resources: ['base'] })));
  });

  it('renders to the objects of the base with images, settings, limits of scaling and an Ingress of one’s own', async () => {
    const digest = `sha256:${'7'.repeat(64)}`;
    const imageOf = (name: string): string => `registry.example.com/gatehouse/${name}`;
    const values = {
      host: 'gatehouse.example.com',
      settings: { PUBLIC_URL: 'https://gatehouse.example.com', NATS_REPLICAS: 3 },
      images: Object.fromEntries(SERVICE_NAMES.map((name) => [name, `${imageOf(name)}@${digest}`])),
      scaling: { pam: { min: 3 } },
    };
    const host = [{ op: 'replace', path: '/spec/rules/0/host', value: values.host }];
    const expected = renderWith({
      resources: ['base'],
      components: ['components/ingress'],
      images: SERVICE_NAMES.map((name) => ({ name: `gatehouse/${name}`, newName: imageOf(name), digest })),
      configMapGenerator: [
        {
          name: 'gatehouse-settings',
          behavior: 'merge',
          literals: ['PUBLIC_URL=https://gatehouse.example.com', 'NATS_REPLICAS=3'],
        },
      ],
      patches: [
        {
          target: { kind: 'Ingress' },
          patch: JSON.stringify([...host, { op: 'replace', path: '/spec/tls/0/hosts/0', value: values.host }]),
        },
        {
          target: { kind: 'HorizontalPodAutoscaler', name: 'pam' },
          patch: JSON.stringify([{ op: 'replace', path: '/spec/minReplicas', value: 3 }]),
        },
      ],
    });
    expect(byTitle(await chart(values))).toEqual(byTitle(expected));
  });

  it('renders to the objects of the component `backup` with a schedule, a number and a volume of one’s own', async () => {
    const values = {
      enabled: true,
      schedule: '0 4 * * *',
      keep: 30,
      storage: '200Gi',
      image: 'registry.example.com/b:1',
    };
    const path = '/spec/jobTemplate/spec/template/spec/containers/0/args/4';
    const replaced = (kind: string, ...changes: object[]) => ({
      target: { kind },
      patch: JSON.stringify(changes.map((change) => ({ op: 'replace', ...change }))),
    });
    const expected = renderWith({
      resources: ['base'],
      components: ['components/backup'],
      images: [{ name: 'gatehouse/backup', newName: 'registry.example.com/b', newTag: '1' }],
      patches: [
        replaced('CronJob', { path: '/spec/schedule', value: values.schedule }, { path, value: '30' }),
        replaced('PersistentVolumeClaim', { path: '/spec/resources/requests/storage', value: values.storage }),
      ],
    });
    expect(byTitle(await chart({ backup: values }))).toEqual(byTitle(expected));
  });

  it('renders to the objects of the Gateway API, of an autoscaler that counts agents, and of monitoring', async () => {
    const gateway = { name: 'shared', namespace: 'edge' };
    const agents = {
      type: 'Pods',
      pods: {
        metric: { name: 'gatehouse_waiting_agents' },
        target: { type: 'AverageValue', averageValue: '15000' },
      },
    };
    const values = {
      host: 'a.example',
      gatewayApi: { enabled: true, ...gateway },
      gatewayMetrics: [agents],
      podMonitor: { enabled: true, interval: '10s', labels: { release: 'prometheus' } },
      settings: { PUBLIC_URL: 'https://a.example' },
    };
    const replaced = Object.entries({ 'hostnames/0': values.host, 'parentRefs/0/name': 'shared' });
    const patch = [...replaced, ['parentRefs/0/namespace', 'edge']].map(([path, value]) => ({
      op: 'replace',
      path: `/spec/${path}`,
      value,
    }));
    const settings = { name: 'gatehouse-settings', behavior: 'merge', literals: ['PUBLIC_URL=https://a.example'] };
    const expected = renderWith({
      resources: ['base'],
      components: ['components/gateway-api', 'components/waiting-agents'],
      configMapGenerator: [settings],
      patches: [{ target: { kind: 'HTTPRoute' }, patch: JSON.stringify(patch) }],
    });
    const [monitor] = parse(read('observability/pod-monitor.yaml').replace('30s', '10s'));
    const { metadata } = monitor as KubernetesObject;
    const labelled = { ...(monitor as KubernetesObject), metadata: { ...metadata, labels: { release: 'prometheus' } } };
    const objects = await chart(values);
    expect(byTitle(objects)).toEqual(byTitle([...expected, labelled]));
    expect(await schemaFaults(objects)).toEqual([]);
  });

  it('fits the schemas of Kubernetes, keeps to the policy, and migrates before anything else', async () => {
    const objects = await chart({ host: 'gatehouse.example.com', backup: { enabled: true } });
    expect([...(await schemaFaults(objects)), ...policyFaults(objects)]).toEqual([]);
    const hooks = objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook']);
    const weights = hooks.map((object) => [titleOf(object), object.metadata.annotations?.['helm.sh/hook-weight']]);
    const jobs = objects.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name);
    // The policy of a migration is in force when its pod starts.
    expect(Object.fromEntries(weights)).toEqual(
      Object.fromEntries(
        jobs.flatMap((name) => [
          [`Job/${name}`, '0'],
          [`NetworkPolicy/${name}`, '-1'],
        ]),
      ),
    );
    for (const { spec } of objects.filter(({ kind }) => kind === 'Job'))
      expect(spec?.['activeDeadlineSeconds']).toBe(7200);
  });

  it('replaces the pods that a changed setting, host or number of proxies concerns, and no others', async () => {
    const podsOf = async (values: object): Promise<Map<string, string>> =>
      new Map(
        (await chart(values))
          .filter(({ kind }) => kind === 'Deployment')
          .map(({ metadata, spec }) => [metadata.name, JSON.stringify(spec?.['template'])]),
      );
    const changedBy = async (values: object, from: object = {}): Promise<string[]> => {
      const [before, after] = [await podsOf(from), await podsOf(values)];
      return [...after].flatMap(([name, pod]) => (before.get(name) === pod ? [] : [name])).sort();
    };
    const all = [...SERVICE_NAMES].sort();
    const host = { host: 'a.example', settings: { PUBLIC_URL: 'https://a.example' } };
    expect(await changedBy({ settings: { LOG_LEVEL: 'debug' } })).toEqual(all);
    expect(await changedBy({ host: 'b.example' }, { host: 'a.example' })).toEqual(all);
    expect(await changedBy({ ...host, host: 'b.example' }, host)).toEqual(['gateway']);
    expect(await changedBy({ ...host, trustedProxies: '2' }, host)).toEqual(['gateway']);
    expect(await changedBy({ gatewaySettings: { PAM_URL: 'http://pam-2:8080' } })).toEqual(['gateway']);
    expect(await changedBy({ scaling: { pam: { min: 3 } } })).toEqual([]);
  });

  const KNOBS = {
    imagePullSecrets: [{ name: 'registry' }],
    nodeSelector: { pool: 'gatehouse' },
    tolerations: [{ effect: 'NoExecute', key: 'only', operator: 'Equal', tolerationSeconds: 60, value: 'gatehouse' }],
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
    extraVolumes: [{ name: 'authority', configMap: { name: 'database-authority' } }],
  };

  it('gives every pod the pull secrets, places, variables and volumes of the values, such as a private authority', async () => {
    const objects = await chart({
      ...KNOBS,
      host: 'a.example',
      backup: { enabled: true },
      extraEnv: [{ name: 'DATABASE_CA_FILE', value: '/authority/authority.pem' }],
      extraVolumeMounts: [{ name: 'authority', mountPath: '/authority', readOnly: true }],
      resources: { pam: { limits: { memory: '1Gi' } } },
      ingress: { className: 'internal', annotations: { 'example.com/size': '9m' } },
    });
    expect(await schemaFaults(objects)).toEqual([]);
    const pods = [...JSON.stringify(objects).matchAll(/"enableServiceLinks":false/g)];
    for (const part of [
      ...Object.entries(KNOBS).slice(0, 4),
      ['mountPath', '/authority'],
      ['name', 'DATABASE_CA_FILE'],
    ])
      expect(JSON.stringify(objects).split(`"${part[0]}":${JSON.stringify(part[1])}`).length - 1).toBe(pods.length);
    expect(JSON.stringify(objects.find((object) => titleOf(object) === 'Deployment/pam'))).toContain('"memory":"1Gi"');
    expect(objects.find(({ kind }) => kind === 'Ingress')).toMatchObject({
      metadata: { annotations: { 'example.com/size': '9m' } },
      spec: { ingressClassName: 'internal' },
    });
  });

  const isValid = new Ajv({ strict: false }).compile(JSON.parse(file('values.schema.json')) as object);

  it('takes the values that it ships and those that the page on Kubernetes shows', () => {
    expect(isValid(parseYaml(file('values.yaml')))).toBe(true);
    expect(
      isValid({ ...KNOBS, host: 'a.example', images: { pam: `r.example:5000/g/pam@sha256:${'7'.repeat(64)}` } }),
    ).toBe(true);
  });

  it.each([
    { hosts: 'a.example' },
    { settings: { LOG_LEVELL: 'debug' } },
    { settings: { SECRET_ENCRYPTION_KEY: 'of a Secret' } },
    { gatewaySettings: { PAM_ADDRESS: 'http://pam' } },
    { images: { pams: 'gatehouse/pam:1' } },
    { images: { pam: 'gatehouse/pam@sha256:7' } },
    { scaling: { pam: { minimum: 3 } } },
    { scaling: { pam: { min: '3' } } },
    { resources: { pam: { limit: { memory: '1Gi' } } } },
    { backup: { enable: true } },
    { ingress: { class: 'internal' } },
    { gatewayApi: { enable: true } },
    { podMonitor: { label: { release: 'prometheus' } } },
    { tolerations: [{ keys: 'only' }] },
    { extraEnv: [{ key: 'A' }] },
    { migrations: { deadline: 5 } },
  ])('refuses the misspelt or wrong value %j', (values) => {
    expect(isValid(values)).toBe(false);
  });
});

const isHelms = ([name]: [string, unknown]): boolean => /^(helm\.sh|gatehouse)\//.test(name);

type Settings = Readonly<Record<string, string>>;
interface Container {
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
}

/** With the settings in the container, where the chart has them and the base has a ConfigMap. */
function withSettings({ env = [], envFrom = [], ...container }: Container, settings: ReadonlyMap<string, Settings>) {
  const read = envFrom.flatMap(({ configMapRef }) => Object.entries(settings.get(configMapRef?.name ?? '') ?? {}));
  const all = [...env, ...read.map(([name, value]) => ({ name, value }))];
  const others = envFrom.filter(({ configMapRef }) => !configMapRef);
  return { ...container, env: all.sort((one, other) => (one.name < other.name ? -1 : 1)), envFrom: others };
}

/** By title, without what one tool says and the other does not: Helm makes the namespace itself, and has hooks. */
function byTitle(objects: readonly KubernetesObject[]): object {
  const maps = objects.filter(({ kind }) => kind === 'ConfigMap');
  const settings = new Map(maps.map((map) => [map.metadata.name, (map as object as { data: Settings }).data]));
  const bare = (object: KubernetesObject): object =>
    JSON.parse(JSON.stringify(object), (key, value) => {
      if (key === 'containers') return (value as Container[]).map((container) => withSettings(container, settings));
      if (key !== 'annotations') return value as unknown;
      const kept = Object.entries(value as Record<string, unknown>).filter((entry) => !isHelms(entry));
      return kept.length > 0 ? Object.fromEntries(kept) : undefined;
    }) as object;
  const compared = objects.filter(({ kind }) => kind !== 'Namespace' && kind !== 'ConfigMap');
  return Object.fromEntries(compared.map((object) => [titleOf(object), bare(object)]));
}
