import { idOf } from './recorder.ts';
import { type Stage, unique } from './stage.ts';

/** The partner writes a rule for all of its organisations; one leaves it and comes back. */
export async function partnerRules({ log, boss, tenant }: Stage): Promise<void> {
  const { orgId, partnerId } = tenant;
  const draft = { ownerScope: 'partner', precedence: 'before', optOut: 'allowed', verdict: 'auto_deny' };
  const { rule } = await log.call<{ rule: { readonly id: string } }>('POST /pam/rules', {
    as: boss,
    body: { ...draft, name: unique('partner'), matchPathGlob: 'C:\\walk\\**' },
    told: [
      {
        action: 'pam.rule.create',
        resource: 'pam.rule',
        id: (answer) => idOf(answer, 'rule'),
        place: { partnerId, orgId: null },
      },
    ],
  });
  const params = { id: rule.id };
  await log.call('PUT /pam/rules/{id}/opt-out', {
    as: boss,
    params,
    body: { orgId, reason: 'An own tool' },
    told: [{ action: 'pam.rule.opt_out', resource: 'pam.rule', id: rule.id }],
  });
  await log.call('DELETE /pam/rules/{id}/opt-out', {
    as: boss,
    params,
    query: `?orgId=${orgId}`,
    told: [{ action: 'pam.rule.opt_in', resource: 'pam.rule', id: rule.id }],
  });
  await boss.api.must('DELETE', `/pam/rules/${rule.id}`);
}
