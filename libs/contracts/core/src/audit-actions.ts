/** Every action that the audit log knows. Closed: an action that is not listed does not compile. */
export const AUDIT_ACTIONS = [
  'sso.provider.create', 'sso.provider.update', 'sso.provider.delete', 'sso.provider.status.update', 'sso.provider.test',
  'sso.login.success', 'sso.login.rejected', 'sso.login.weak_key', 'sso.identity.link', 'sso.identity.unlink',
  'sso.domain.create', 'sso.domain.verify', 'sso.domain.delete', 'partner.login_branding.update',
  'user.login', 'user.login_failed', 'user.logout', 'user.create', 'user.update', 'user.delete', 'user.invite.accept', 'user.invite.withdraw',
  'user.mfa.enroll', 'user.mfa.remove', 'user.mfa.verify', 'user.password.reset', 'user.password.reset_request', 'user.password.change', 'user.break_glass.login',
  'role.create', 'role.update', 'role.delete', 'api_key.create', 'api_key.delete', 'session.revoke', 'signing_key.rotate',

  'partner.create', 'partner.update', 'partner.delete', 'partner.settings.update', 'partner.organization_order.update',
  'organization.create', 'organization.update', 'organization.delete', 'organization.archive', 'organization.restore',
  'organization.merge.start', 'organization.merge.complete', 'organization.merge.fail', 'organization.purge',
  'site.create', 'site.update', 'site.delete',
  'contact.create', 'contact.update', 'contact.delete', 'contact.import',
  'enrollment_key.create', 'enrollment_key.rotate', 'enrollment_key.delete',
  'device.enroll', 'device.update', 'device.move', 'device.decommission', 'device.agent_token.rotate', 'device.impersonate',
  'device_group.create', 'device_group.update', 'device_group.delete', 'device_group.devices.add', 'device_group.devices.remove',
  'custom_field.create', 'custom_field.update', 'custom_field.delete', 'custom_field.import', 'custom_field.values.update', 'custom_field.values.import',
  'script.create', 'script.update', 'script.delete', 'script.import',
  'configuration_policy.create', 'configuration_policy.update', 'configuration_policy.delete', 'configuration_policy.assign', 'configuration_policy.unassign',

  'pam.elevation_request.submit', 'pam.elevation_request.ignore', 'pam.elevation_request.approve', 'pam.elevation_request.deny',
  'pam.elevation_request.revoke', 'pam.elevation_request.expire',
  'pam.rule.create', 'pam.rule.update', 'pam.rule.delete', 'pam.rule.preview',
  'pam.signer_group.create', 'pam.signer_group.update', 'pam.signer_group.delete', 'pam.config.update',
  'pam.software_policy.create', 'pam.software_policy.update', 'pam.software_policy.delete',
  'device.elevation.actuate', 'device.elevation.actuate_rejected', 'device.elevation.result',
  'pam.approval.approve', 'pam.approval.deny', 'pam.approval.report',

  'push_subscription.create', 'push_subscription.delete', 'audit.export',
  'sealed_secret.reseal', 'checkpoint_key.rotate', 'dead_letter.replay', 'outbox.republish',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];
