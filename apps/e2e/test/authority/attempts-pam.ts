import { attempt } from './attempt.ts';
import type { Draw } from './draw.ts';

const rule = (d: Draw) => ({
  name: d.name(),
  verdict: 'auto_approve',
  matchPathGlob: '**',
  ...d.optional('siteId', 'site'),
});
/** An organisation, or the whole partner, whose rules that come after others may grant. */
const ruleOwner = (d: Draw) =>
  d.dice.chance(0.2) ? { ownerScope: 'partner', precedence: 'after' } : { orgId: d.id('org') };

/** The devices of a level of approval. */
const levelPlace = (d: Draw) => (d.flag() ? { siteIds: [d.id('site')] } : { deviceGroupIds: [d.id('group')] });

/** Paths at which users can save files, by their plain and by other names. */
const WRITABLE = [
  '**',
  'C:\\Users\\**',
  '%TEMP%\\*',
  '\\\\?\\C:\\Users\\**',
  'C:\\Windows\\System32\\spool\\**',
] as const;

const softwarePolicy = (d: Draw) => ({
  name: d.name(),
  mode: 'allowlist',
  target: d.target(),
  rules: [{ name: 'all', pathGlob: d.dice.one(WRITABLE) }],
});

/** Privileged access, and the push subscriptions to which its approvals are sent. */
export const PAM = [
  attempt('POST /pam/elevation-requests', {}, (d) => ({ deviceId: d.id('device'), reason: 'because' }), {
    makes: 'request',
    times: 2,
  }),
  attempt(
    'POST /pam/elevation-requests/{id}/respond',
    { id: 'request' },
    (d) => ({ decision: d.dice.one(['approve', 'deny']) }),
    { times: 2 },
  ),
  attempt('POST /pam/elevation-requests/{id}/take', { id: 'request' }, () => ({})),
  attempt('POST /pam/elevation-requests/{id}/release', { id: 'request' }, () => ({})),
  attempt('POST /pam/elevation-requests/{id}/revoke', { id: 'request' }, () => ({ reason: 'because' })),
  attempt('POST /pam/tool-actions', {}, (d) => ({ deviceId: d.id('device'), toolName: 'run_script', input: {} }), {
    makes: 'request',
  }),
  attempt('POST /devices/{id}/actuate-elevation', { id: 'device' }, (d) => ({ elevationRequestId: d.id('request') })),
  attempt('POST /approvals/{id}/approve', { id: 'approval' }, () => ({}), { times: 3 }),
  attempt('POST /approvals/{id}/deny', { id: 'approval' }, () => ({})),
  attempt('POST /approvals/{id}/report-suspicious', { id: 'approval' }, () => ({})),
  attempt('POST /pam/rules', {}, (d) => ({ ...rule(d), ...ruleOwner(d) }), { makes: 'rule', times: 3 }),
  attempt('PATCH /pam/rules/{id}', { id: 'rule' }, (d) => d.dice.members(rule(d)), { times: 2 }),
  attempt('DELETE /pam/rules/{id}', { id: 'rule' }),
  attempt('PUT /pam/rules/{id}/opt-out', { id: 'rule' }, (d) => ({ orgId: d.id('org'), reason: 'because' })),
  attempt('DELETE /pam/rules/{id}/opt-out', { id: 'rule' }),
  attempt('PUT /pam/rules/order', {}, (d) => ({ orgId: d.id('org'), ruleIds: [d.id('rule')] })),
  attempt('POST /pam/rules/{id}/copies', { id: 'rule' }, (d) => ({ orgIds: [d.id('org')] }), { objectIsSource: true }),
  attempt(
    'POST /pam/replays',
    {},
    (d) => ({ orgId: d.id('org'), changes: [{ op: 'add', ref: 'evil', rule: rule(d) }] }),
    { makes: 'replay', keepsToSites: true },
  ),
  attempt('POST /pam/replays/{id}/cancel', { id: 'replay' }),
  // Mostly one that another attacker started.
  attempt('POST /pam/replays/{id}/apply', { id: 'replay' }, () => ({ acceptNewlyApproved: 0 }), { times: 2 }),
  attempt('POST /pam/signer-groups', {}, (d) => ({ name: d.name(), signers: ['Evil Ltd'], orgId: d.id('org') }), {
    makes: 'signerGroup',
  }),
  attempt('PATCH /pam/signer-groups/{id}', { id: 'signerGroup' }, () => ({ signers: ['Evil Ltd'] })),
  attempt('DELETE /pam/signer-groups/{id}', { id: 'signerGroup' }),
  // Freezes of one device each: wider ones would stop the other attempts.
  attempt(
    'POST /pam/freezes',
    {},
    (d) => ({
      level: 'device',
      targetId: d.id('device'),
      mode: d.dice.one(['hold', 'lockdown']),
      revokeOpen: d.flag(),
      reason: 'because',
    }),
    { makes: 'freeze' },
  ),
  attempt('POST /pam/freezes/{id}/lift', { id: 'freeze' }, () => ({ reason: 'because' })),
  attempt('POST /pam/software-policies', {}, softwarePolicy, { makes: 'softwarePolicy', times: 3 }),
  attempt('PATCH /pam/software-policies/{id}', { id: 'softwarePolicy' }, (d) => d.dice.members(softwarePolicy(d)), {
    times: 2,
  }),
  attempt('DELETE /pam/software-policies/{id}', { id: 'softwarePolicy' }),
  attempt(
    'PUT /pam/config',
    {},
    (d) => ({
      defaultUnmatchedVerdict: d.dice.one(['require_approval', 'auto_deny']),
      ...d.optional('orgId', 'org'),
    }),
    { times: 2 },
  ),
  attempt(
    'PUT /pam/approval-policy',
    {},
    (d) => ({
      levels: d.flag()
        ? [{ name: d.name(), ...levelPlace(d), approvals: 1 + d.dice.below(3), pendingMinutes: 1440 }]
        : [],
      separation: { ruleEditors: d.flag(), aiRequester: d.flag() },
      ...d.optional('orgId', 'org'),
    }),
    { times: 2 },
  ),
  // Nothing is required, so that the other attempts go on.
  attempt('PUT /pam/justification-policy', {}, (d) => ({
    ticket: { mode: d.dice.one(['off', 'optional']), hint: d.name() },
    ...d.optional('orgId', 'org'),
  })),
  attempt('PUT /pam/escalation-policy', {}, (d) => ({
    steps: d.flag() ? [{ step: 1, afterMinutes: 1440, askAllApprovers: d.flag() }] : [],
    tellDevice: d.flag(),
    ...d.optional('orgId', 'org'),
  })),
  // An endpoint that answers 200: one that is gone would end the subscription.
  attempt(
    'POST /push-subscriptions',
    {},
    (d) => ({ kind: 'webhook', endpoint: `${d.idp.issuer}/jwks?${d.dice.word('push')}` }),
    { makes: 'subscription', times: 3 },
  ),
  attempt('POST /push-subscriptions/{id}/test', { id: 'subscription' }),
  attempt('DELETE /push-subscriptions/{id}', { id: 'subscription' }),
  attempt('PUT /partners/me/login-branding', {}, () => ({
    headline: 'Sign in at evil.example',
    logoUrl: null,
    accentColor: null,
  })),
];
