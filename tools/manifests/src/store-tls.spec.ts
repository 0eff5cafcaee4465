import { describe, expect, it } from '@jest/globals';
import { policyFaults } from './policy.ts';
import { hasKubectl, type KubernetesObject, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

(hasKubectl ? describe : describe.skip)('TLS to the stores in the cluster', () => {
  const objects = hasKubectl
    ? renderWith({ resources: ['overlays/production'], components: ['components/store-tls'] })
    : [];

  it('gives the authorities to every process that is told to use them', () => {
    const settings = objects.find(({ metadata }) => metadata.name.startsWith('gatehouse-settings')) as object as {
      data: Record<string, string>;
    };
    const file = '/etc/gatehouse/authorities/postgres.pem';
    expect(settings.data['DATABASE_CA_FILE']).toBe(file);
    const told = objects.filter(readsSettings);
    expect(told.length).toBeGreaterThan(10);
    for (const object of told) {
      const { containers, volumes } = (object as object as Workload).spec.template.spec;
      expect([titleOf(object), containers[0]?.volumeMounts]).toEqual([
        titleOf(object),
        expect.arrayContaining([
          expect.objectContaining({ name: 'authorities', mountPath: '/etc/gatehouse/authorities' }),
        ]),
      ]);
      expect(volumes).toContainEqual({ name: 'authorities', configMap: { name: 'gatehouse-store-authorities' } });
    }
  });

  it('fits the schemas and keeps to the policy', async () => {
    expect(policyFaults(objects)).toEqual([]);
    const changed = objects.filter(readsSettings);
    expect(await schemaFaults(changed)).toEqual([]);
  });

  it('turns the NATS and Redis of the manifests to TLS alone, each with a certificate of its own', async () => {
    const own = renderWith({
      resources: ['overlays/production'],
      components: ['components/store-tls', 'components/own-store-tls'],
    });
    expect(policyFaults(own)).toEqual([]);
    const servers = own.filter(({ kind }) => kind === 'StatefulSet');
    expect(await schemaFaults(servers)).toEqual([]);
    for (const [name, certificate] of [
      ['nats', 'nats'],
      ['redis', 'redis'],
      ['redis-replica', 'redis'],
    ]) {
      const text = JSON.stringify(servers.find((object) => titleOf(object) === `StatefulSet/${name}`));
      expect(text).toContain(`"secretName":"gatehouse-${certificate}-tls"`);
      expect(text).toContain('{"mountPath":"/tls","name":"tls","readOnly":true}');
      if (certificate === 'redis') {
        expect(text).toContain('"--port","0","--tls-port","6379"');
        expect(text.match(/"redis-cli","-h","localhost","--tls"/g)).toHaveLength(3);
      } else expect(text).toContain('"--config","/etc/gatehouse/nats.tls.conf"');
    }
    const configuration = own.find(({ metadata }) => metadata.name.startsWith('nats-configuration')) as object as {
      data: Record<string, string>;
    };
    expect(Object.keys(configuration.data)).toEqual(['accounts.conf', 'nats.conf', 'nats.tls.conf', 'routes.conf']);
  });
});

interface Workload {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
          readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
        }[];
        readonly volumes?: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
      };
    };
  };
}

const readsSettings = (object: KubernetesObject): boolean =>
  ['Deployment', 'Job'].includes(object.kind) && JSON.stringify(object).includes('"gatehouse-settings');
