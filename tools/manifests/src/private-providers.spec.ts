import { SERVICE_NAMES } from '@gatehouse/contracts-core';
import { PrivatePlaces } from '@gatehouse/egress';
import { describe, expect, it } from '@jest/globals';
import { policyFaults, selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

(hasKubectl ? describe : describe.skip)('identity providers inside the network', () => {
  const objects = hasKubectl
    ? renderWith({ resources: ['overlays/production'], components: ['components/private-providers'] })
    : [];
  const deployments = objects.filter(({ kind }) => kind === 'Deployment');
  const policy = objects.find((object) => titleOf(object) === 'NetworkPolicy/identity-private-providers');

  it('are open to identity alone, by the setting and by the network policy', () => {
    const told = deployments.filter((object) => JSON.stringify(object).includes('EGRESS_PRIVATE_ALLOW'));
    expect(told.map(({ metadata }) => metadata.name)).toEqual(['identity']);
    const reached = SERVICE_NAMES.filter((name) =>
      selects(policy?.spec?.['podSelector'] as object, {
        'app.kubernetes.io/name': name,
        'app.kubernetes.io/component': 'service',
      }),
    );
    expect(reached).toEqual(['identity']);
    expect(policyFaults(objects)).toEqual([]);
  });

  it('are hosts that identity accepts, whose authority lies where it is mounted', async () => {
    const identity = deployments.filter(({ metadata }) => metadata.name === 'identity');
    const { env = [], volumeMounts = [] } = identity.map(containerOf)[0] ?? {};
    const valueOf = (name: string): string | undefined => env.find((each) => each.name === name)?.value;
    expect(PrivatePlaces.from(valueOf('EGRESS_PRIVATE_ALLOW')).admits('adfs.corp.example', '10.4.0.1')).toBe(true);
    const folder = volumeMounts.find(({ name }) => name === 'providers')?.mountPath;
    expect(valueOf('NODE_EXTRA_CA_CERTS')).toBe(`${folder ?? '?'}/authority.pem`);
    expect(await schemaFaults(identity)).toEqual([]);
  });
});

interface Container {
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

const containerOf = ({ spec }: KubernetesObject): Container | undefined =>
  (spec as object as { template: { spec: { containers: Container[] } } }).template.spec.containers[0];
