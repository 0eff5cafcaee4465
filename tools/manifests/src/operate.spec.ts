import { UPSTREAM_NAMES, addressSettingOf } from '@gatehouse/contracts-core';
import { describe, expect, it } from '@jest/globals';
import { policyFaults, selects } from './policy.ts';
import { hasKubectl, type KubernetesObject, renderWith, titleOf } from './policy.ts';
import { schemaFaults } from './schema.ts';

interface Policy {
  readonly podSelector: Parameters<typeof selects>[0];
  readonly ingress?: readonly { readonly from?: readonly { readonly podSelector?: object }[] }[];
}

(hasKubectl ? describe : describe.skip)("the operator's commands as a Job", () => {
  const objects = hasKubectl ? renderWith({ resources: ['overlays/local', 'jobs/operate'] }) : [];
  const named = (title: string): KubernetesObject | undefined => objects.find((object) => titleOf(object) === title);
  const labelsOf = (name: string) => ({
    'app.kubernetes.io/name': name,
    'app.kubernetes.io/component': 'service',
  });
  /** Whether a policy lets the Job's pod into a service. */
  const admits = (service: string): boolean =>
    objects.some(({ kind, spec }) => {
      if (kind !== 'NetworkPolicy') return false;
      const { podSelector, ingress = [] } = spec as object as Policy;
      const peers = ingress.flatMap(({ from = [] }) => from.flatMap(({ podSelector: peer }) => peer ?? []));
      return (
        selects(podSelector, labelsOf(service)) &&
        peers.some((peer) => selects(peer, { 'app.kubernetes.io/name': 'operate' }))
      );
    });

  it('fits the schemas of Kubernetes and keeps to the policy', async () => {
    expect(await schemaFaults(objects)).toEqual([]);
    expect(policyFaults(objects)).toEqual([]);
  });

  it('is admitted by every service that it may ask, and not by the gateway', () => {
    expect(UPSTREAM_NAMES.filter((service) => !admits(service))).toEqual([]);
    expect(admits('gateway')).toBe(false);
  });

  it('knows the address of every service, and takes the key of the operator and no other secret', () => {
    const text = JSON.stringify(named('Job/operate'));
    expect(UPSTREAM_NAMES.filter((service) => !text.includes(addressSettingOf(service)))).toEqual([]);
    expect(text.match(/secretKeyRef|secretRef/g)).toEqual(['secretKeyRef']);
    expect(text).toContain('"name":"gatehouse-operator"');
  });
});
