import { clientAddress, TrustedProxies } from '@gatehouse/service';
import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasKubectl, type KubernetesObject, parse, render, renderWith, titleOf } from './policy.ts';
import { selects } from './policy.ts';
import { schemaFaults } from './schema.ts';

const dataOf = (objects: readonly KubernetesObject[], name: string): Readonly<Record<string, string>> =>
  (
    objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(name)) as object as {
      data: Record<string, string>;
    }
  ).data;
const OVERLAYS = hasKubectl
  ? ([
      ['Ingress', render('overlays/production')],
      ['HTTPRoute', renderWith({ resources: ['base'], components: ['components/gateway-api'] })],
    ] as const)
  : [];

(hasKubectl ? describe : describe.skip)('the entrance to the cluster', () => {
  describe.each(OVERLAYS)('by %s', (kind, objects) => {
    const proxies = TrustedProxies.parse(dataOf(objects, 'gateway-settings')['TRUSTED_PROXIES']);
    const seen = (forwardedFor: string): string => clientAddress('10.244.3.17', forwardedFor, proxies);

    it('shows the gateway the address of each client, without a setting by the operator', () => {
      expect([seen('198.51.100.7'), seen('203.0.113.9'), seen('10.1.2.3')]).toEqual([
        '198.51.100.7',
        '203.0.113.9',
        '10.1.2.3',
      ]);
    });

    it('lets no client choose its address', () => {
      expect(seen('1.2.3.4, 198.51.100.7')).toBe('198.51.100.7');
      expect(seen('1.2.3.4, 10.244.3.17, 10.1.2.3')).toBe('10.1.2.3');
    });

    it('is the only way to the gateway, because the header of any other would be believed', () => {
      expect(sources(objects, GATEWAY)).toEqual([
        { namespaceSelector: { matchLabels: { 'gatehouse/entrance': 'true' } } },
      ]);
    });

    it(`is an ${kind} of any controller`, async () => {
      const entrances = objects.filter((object) => object.kind === kind);
      expect(entrances).not.toEqual([]);
      const annotations = entrances.flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
      expect(annotations.filter((name) => !name.startsWith('argocd.argoproj.io/'))).toEqual([]);
      expect(JSON.stringify(entrances)).not.toMatch(/className|nginx|traefik/i);
      expect(await schemaFaults(entrances)).toEqual([]);
    });
  });

  it('takes its host from PUBLIC_URL, in an overlay of one’s own too', () => {
    const own = renderWith({
      resources: ['overlays/production'],
      configMapGenerator: [
        {
          name: 'gatehouse-settings',
          namespace: 'gatehouse',
          behavior: 'merge',
          literals: ['PUBLIC_URL=https://pam.example.org'],
        },
      ],
      replacements: parse(readFileSync(join(PRODUCTION, 'host.yaml'), 'utf8')),
    });
    const hostsOf = (objects: readonly KubernetesObject[]): unknown =>
      objects.find((object) => titleOf(object) === 'Ingress/gatehouse')?.spec;
    for (const [objects, host] of [
      [render('overlays/production'), 'gatehouse.example.com'],
      [own, 'pam.example.org'],
    ] as const)
      expect(hostsOf(objects)).toMatchObject({ rules: [{ host }], tls: [{ hosts: [host] }] });
  });

  it('is closed, and no header is believed, where neither is deployed', () => {
    const local = render('overlays/local');
    expect(sources(local, GATEWAY)).toEqual([]);
    expect(dataOf(local, 'gateway-settings')).not.toHaveProperty('TRUSTED_PROXIES');
  });
});

interface Policy {
  readonly podSelector: Parameters<typeof selects>[0];
  readonly ingress?: readonly {
    readonly from?: readonly { readonly namespaceSelector?: Parameters<typeof selects>[0] }[];
    readonly ports?: readonly { readonly port: string }[];
  }[];
}

/** Sources that the policies let reach the public port of these pods. */
function sources(objects: readonly KubernetesObject[], pod: Readonly<Record<string, string>>): unknown[] {
  return objects
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as object as Policy)
    .filter(({ podSelector }) => selects(podSelector, pod))
    .flatMap(({ ingress = [] }) => ingress)
    .filter(({ ports = [] }) => ports.some(({ port }) => port === 'http'))
    .flatMap(({ from = [] }) => from);
}

const PRODUCTION = join(import.meta.dirname, '../../../deploy/k8s/overlays/production');
const GATEWAY = { 'app.kubernetes.io/name': 'gateway', 'app.kubernetes.io/component': 'service' };
