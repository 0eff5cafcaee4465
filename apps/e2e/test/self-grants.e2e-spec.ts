import type { Api } from '@gatehouse/stack';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedWorld } from './shared-world.ts';
import { makeTenant, partnerAdministrator, type Tenant, until, type SharedWorld } from './world.ts';

/** Ann writes the grant, then asks for it as a user of a device; Ben and Cleo are her colleagues. */
describe('an administrator who grants to themselves', () => {
  let world: SharedWorld;
  let tenant: Tenant;
  let ann: Api;
  let ben: Api;
  let cleo: Api;
  let annsUser: string;
  beforeAll(async () => {
    world = await sharedWorld();
    tenant = await makeTenant(world.admin);
    ann = await partnerAdministrator(world, tenant.partnerId);
    ben = await partnerAdministrator(world, tenant.partnerId);
    cleo = await partnerAdministrator(world, tenant.partnerId);
    const { user } = await ann.must<{ user: { email: string } }>('GET', '/auth/me');
    annsUser = `CORP\\${user.email.split('@')[0]}`;
    await until(async () => {
      const separation = { ruleEditors: true, aiRequester: true };
      const answer = await ben.call('PUT', `/pam/approval-policy?orgId=${tenant.orgId}`, { levels: [], separation });
      return answer.status === 200;
    });
  });

  const rule = async (person: Api, changes: object): Promise<Rule> => {
    const body = { orgId: tenant.orgId, name: 'Grant', verdict: 'auto_approve', ...changes };
    return (await person.must<{ rule: Rule }>('POST', '/pam/rules', body)).rule;
  };
  const group = async (person: Api, signers: readonly string[]): Promise<Rule> => {
    const body = { orgId: tenant.orgId, name: `Group of ${signers[0]}`, signers };
    return (await person.must<{ signerGroup: Rule }>('POST', '/pam/signer-groups', body)).signerGroup;
  };
  const report = (signer: string, user: string): Promise<Reported> =>
    world.admin.as(tenant.agentToken).must<Reported>('POST', `/agents/${tenant.deviceId}/elevation-requests`, {
      subject_username: user,
      target_executable_path: `C:\\Tools\\${signer}-${Math.random()}.exe`,
      target_executable_signer: signer,
      observed_at: new Date().toISOString(),
    });
  const inOrg = (path: string): string => `${path}?orgId=${tenant.orgId}`;

  const byRule: Door = (matchSigner) => rule(ann, { matchSigner });
  const byChange: Door = async (matchSigner) => {
    const { id } = await rule(ben, { matchSigner, verdict: 'auto_deny' });
    await ann.must('PATCH', inOrg(`/pam/rules/${id}`), { verdict: 'auto_approve' });
  };
  const bySignerGroup: Door = async (signer) => {
    const { id } = await group(ben, [`Other than ${signer}`]);
    await rule(ben, { matchSignerGroupId: id });
    await ann.must('PATCH', inOrg(`/pam/signer-groups/${id}`), { signers: [signer] });
  };
  const byOrder: Door = async (matchSigner) => {
    await rule(ben, { matchSigner, verdict: 'auto_deny' });
    const { id } = await rule(ben, { matchSigner });
    const { rules } = await ann.must<{ rules: Rule[] }>('GET', inOrg('/pam/rules'));
    const others = rules.map((each) => each.id).filter((each) => each !== id);
    await ann.must('PUT', '/pam/rules/order', { orgId: tenant.orgId, ruleIds: [id, ...others] });
  };
  const replayedBy =
    (applier: () => Api): Door =>
    async (matchSigner) => {
      const added = { op: 'add', ref: 'new', rule: { name: 'Grant', verdict: 'auto_approve', matchSigner } };
      const { jobId } = await ann.must<{ jobId: string }>('POST', '/pam/replays', {
        orgId: tenant.orgId,
        changes: [added],
      });
      await until(
        async () => (await ann.must<{ state: string }>('GET', `/pam/replays/${jobId}`)).state === 'completed',
      );
      await applier().must('POST', `/pam/replays/${jobId}/apply`, { acceptNewlyApproved: 0 });
    };
  const byRequest: Door = async (signer) => {
    const { id } = await report(signer, 'CORP\\zoe');
    await rule(ann, { matchSigner: signer, fromRequestId: id });
  };
  const byPolicy: Door = (signer) =>
    ann.must('POST', '/pam/software-policies', {
      name: signer,
      mode: 'allowlist',
      target: { level: 'organization', id: tenant.orgId },
      rules: [{ name: signer, signer }],
    });
  const copiedBy =
    (author: () => Api, copier: () => Api): Door =>
    async (matchSigner) => {
      const { partnerId, orgId } = tenant;
      const slug = `source-${matchSigner.toLowerCase().replaceAll(' ', '-')}`.slice(0, 60);
      const source = await ann.must<Rule>('POST', '/orgs/organizations', { partnerId, name: slug, slug });
      await ben.eventually('GET', `/pam/config?orgId=${source.id}`);
      const { id } = await rule(author(), { orgId: source.id, matchSigner });
      await copier().must('POST', `/pam/rules/${id}/copies?orgId=${source.id}`, { orgIds: [orgId] });
    };

  const byDenial =
    (end: (id: string) => Promise<unknown>): Door =>
    async (matchSigner) => {
      const { id } = await rule(ben, { matchSigner, verdict: 'auto_deny', priority: 1 });
      await rule(ben, { matchSigner, priority: 50 });
      await end(id);
    };
  const byDeletion = byDenial((id) => ann.must('DELETE', inOrg(`/pam/rules/${id}`)));
  const byDisabling = byDenial((id) => ann.must('PATCH', inOrg(`/pam/rules/${id}`), { enabled: false }));

  it.each<[string, Door]>([
    ['a rule', byRule],
    ["a change of a colleague's rule", byChange],
    ["a signer in the group of a colleague's rule", bySignerGroup],
    ["a colleague's rule moved before the one that denies", byOrder],
    ['the rule set of a replay', replayedBy(() => ann)],
    ['the rule set of a replay that a colleague applies', replayedBy(() => ben)],
    ['a rule from a request', byRequest],
    [
      "a copy of a colleague's rule of another organisation",
      copiedBy(
        () => ben,
        () => ann,
      ),
    ],
    [
      'a copy that a colleague makes of a rule of another organisation',
      copiedBy(
        () => ann,
        () => ben,
      ),
    ],
    ['a software policy', byPolicy],
    ["a colleague's denial that was deleted", byDeletion],
    ["a colleague's denial that was disabled", byDisabling],
  ])('waits for others when the grant comes by %s (QUORUM-03)', async (name, door) => {
    const signer = `Door ${name.replaceAll(/[^a-z ]/g, '')}`;
    await door(signer);
    const { id, status } = await report(signer, annsUser);
    expect(status).toBe('pending');
    expect((await report(signer, 'CORP\\someone.else')).status).toBe('auto_approved');
    const respond = (person: Api) =>
      person.call('POST', `/pam/elevation-requests/${id}/respond`, { decision: 'approve' });
    expect(await respond(ann)).toMatchObject({ status: 403, body: { code: 'separation_of_duties' } });
    expect(await respond(cleo)).toMatchObject({ status: 200, body: { status: 'approved' } });
  });

  type Door = (signer: string) => Promise<unknown>;
});

interface Rule {
  readonly id: string;
}
interface Reported {
  readonly id: string;
  readonly status: string;
}
