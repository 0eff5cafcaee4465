import { describe, expect, it } from '@jest/globals';
import { AUDIT_ACTIONS, AUTHORITY_ACTIONS, type PlainAction } from './audit-actions.ts';
import { changeDetails, changesOf, isUnchanged } from './audit.ts';

describe('the changes of an audit entry', () => {
  it.each([
    [{ a: 1, b: [1] }, { a: 2, b: [1] }, { a: { before: 1, after: 2 } }],
    [null, { a: 1, b: [1] }, { a: { before: null, after: 1 }, b: { before: null, after: [1] } }],
    [{ a: 1, b: null }, null, { a: { before: 1, after: null } }],
    [{ a: 1, b: [1], c: 1 }, { a: 1, b: [1], c: 2 }, {}],
  ])('AUD-50 names the fields that differ, and no others, of change %#', (before, after, changes) => {
    expect(changesOf<object>(before, after, ['a', 'b'])).toEqual(changes);
  });

  it.each([
    [{ a: { x: 1, longer: [1, 2] } }, { a: { longer: [1, 2], x: 1 } }, true],
    [{ a: { x: 1, longer: [1, 2] } }, { a: { longer: [2, 1], x: 1 } }, false],
    [{ a: new Date('2026-01-01T00:00:00.000Z') }, { a: '2026-01-01T01:00:00+01:00' }, true],
    [{ a: new Date('2026-01-01T00:00:00.000Z') }, { a: '2026-01-01T00:00:01Z' }, false],
    [{ a: null }, { a: '2026-01-01T00:00:00Z' }, false],
  ])('AUD-40 take an update for none where it says the same in other words: %#', (state, updates, unchanged) => {
    expect(isUnchanged(state, updates)).toBe(unchanged);
  });

  it('AUD-50 leaves out what an update sent with its present value', () => {
    const details = changeDetails({ a: 1, b: 2 }, { a: 1, b: 3 }, { a: 1, b: 3 });
    expect(details).toEqual({ changedFields: ['b'], changes: { b: { before: 2, after: 3 } } });
  });

  it('AUD-50 covers every action of the contract that no reason exempts', () => {
    const covered = [...AUTHORITY_ACTIONS, ...Object.keys(PLAIN)];
    expect(covered.sort()).toEqual([...AUDIT_ACTIONS].sort());
  });
});

const DECIDED = 'decides one request; its entry names device, program and votes';
const CATALOGUE = 'changes data that grants nothing';
const CREDENTIAL = 'proves who acts, and gives nobody more';
const RUNS = 'operates the product';
/** The actions whose entries need no values before and after, each with the reason. */
const PLAIN: Readonly<Record<PlainAction, string>> = {
  'sso.provider.test': RUNS,
  'sso.provider.metadata_change.detect': RUNS,
  'sso.provider.metadata_change.apply': RUNS,
  'sso.provider.metadata_change.dismiss': RUNS,
  'sso.settings.update': RUNS,
  'sso.login.success': CREDENTIAL,
  'sso.setup_link.open': CREDENTIAL,
  'sso.setup_link.complete': 'ends the link; an activation has its own entry',
  'sso.login.rejected': CREDENTIAL,
  'sso.login.weak_key': CREDENTIAL,
  'partner.login_branding.update': CATALOGUE,
  'user.login': CREDENTIAL,
  'user.login_failed': CREDENTIAL,
  'user.logout': CREDENTIAL,
  'user.mfa.enroll': CREDENTIAL,
  'user.mfa.remove': CREDENTIAL,
  'user.mfa.verify': CREDENTIAL,
  'user.password.reset': CREDENTIAL,
  'user.password.reset_request': CREDENTIAL,
  'user.password.change': CREDENTIAL,
  'user.break_glass.login': CREDENTIAL,
  'session.revoke': CREDENTIAL,
  'signing_key.rotate': RUNS,
  'partner.organization_order.update': CATALOGUE,
  'organization.merge.start':
    'moves things between organisations; its entry names both, and each step follows the plan that was confirmed',
  'organization.merge.complete': 'as its start',
  'organization.merge.fail': 'as its start',
  'organization.purge': 'deletes what was archived before, which is recorded',
  'site.create': CATALOGUE,
  'site.update': CATALOGUE,
  'site.delete': CATALOGUE,
  'contact.create': CATALOGUE,
  'contact.update': CATALOGUE,
  'contact.delete': CATALOGUE,
  'contact.import': CATALOGUE,
  'device.enroll': 'the entry itself has the place of the device, and names the enrolment key',
  'device.reenroll': 'the machine gets its own device back as it was',
  'device.inventory.update': CATALOGUE,
  'device.agent_token.rotate': CREDENTIAL,
  'device.token_reuse': CREDENTIAL,
  'device.impersonate': CREDENTIAL,
  'custom_field.create': CATALOGUE,
  'custom_field.update': CATALOGUE,
  'custom_field.delete': CATALOGUE,
  'custom_field.import': CATALOGUE,
  'custom_field.values.update': CATALOGUE,
  'custom_field.values.import': CATALOGUE,
  'script.create': CATALOGUE,
  'script.update': CATALOGUE,
  'script.delete': CATALOGUE,
  'script.import': CATALOGUE,
  'pam.elevation_request.submit': DECIDED,
  'pam.elevation_request.ignore': DECIDED,
  'pam.elevation_request.approve': DECIDED,
  'pam.elevation_request.deny': DECIDED,
  'pam.elevation_request.take': DECIDED,
  'pam.elevation_request.release': DECIDED,
  'pam.elevation_request.revoke': DECIDED,
  'pam.elevation_request.expire': DECIDED,
  'pam.elevation_request.escalate': DECIDED,
  'pam.elevation_request.justify': DECIDED,
  'pam.rule.preview': RUNS,
  'pam.replay.start': 'grants nothing; its application is recorded as pam.ruleset.apply',
  'device.elevation.actuate': DECIDED,
  'device.elevation.actuate_rejected': DECIDED,
  'device.elevation.result': DECIDED,
  'pam.approval.approve': DECIDED,
  'pam.approval.deny': DECIDED,
  'pam.approval.report': DECIDED,
  'push_subscription.create': 'tells a person of what they may see anyway',
  'push_subscription.delete': 'tells a person of what they may see anyway',
  'audit.export': RUNS,
  'audit.export.prepare': RUNS,
  'sealed_secret.reseal': RUNS,
  'checkpoint_key.rotate': RUNS,
  'dead_letter.replay': RUNS,
  'outbox.republish': RUNS,
};
