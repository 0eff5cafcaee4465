import { invalid, mailAddressOf, ProblemError } from '@gatehouse/contracts-core';
import { CONTACT_ROLES, type ContactFieldsDto, type ContactRole } from '@gatehouse/contracts-tenancy';
import { checkRoles, hasIdentifier, normaliseContact } from '@gatehouse/tenancy-domain';

export interface CheckedContact {
  readonly siteId?: string | null;
  readonly name?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
  readonly mobile?: string | null;
  readonly title?: string | null;
  readonly roles?: ContactRole[];
  readonly isPrimary?: boolean;
  readonly notes?: string | null;
}

/** @throws ProblemError invalid-role */
function rolesOf(roles: readonly string[] | null): ContactRole[] {
  const checked = checkRoles(roles ?? []);
  if ('unknown' in checked)
    throw new ProblemError('invalid-role', `"${checked.unknown}" is not a role of contacts.`, {
      validRoles: CONTACT_ROLES,
    });
  return checked.roles;
}

/**
 * The members of the request in their stored form: texts are trimmed, cleared members are null.
 * @throws ProblemError invalid-role, validation_failed
 */
export function checkedContact({
  roles,
  isPrimary,
  ...texts
}: Partial<Omit<ContactFieldsDto, 'orgId'>>): CheckedContact {
  const fields = normaliseContact(texts);
  const email = fields.email && mailAddressOf(fields.email);
  if (fields.email && !email) throw invalid('email', 'must be an e-mail address');
  return {
    ...fields,
    ...(email && { email }),
    ...(roles !== undefined && { roles: rolesOf(roles) }),
    ...(isPrimary !== undefined && { isPrimary: isPrimary ?? false }),
  };
}

/** @throws ProblemError no-identifier */
export function requireIdentifier(contact: Parameters<typeof hasIdentifier>[0]): void {
  if (!hasIdentifier(contact))
    throw new ProblemError('no-identifier', 'A contact needs a name, an e-mail address, a phone or a mobile number.');
}

export const siteNotInOrg = {
  contact_site_in_organization: () =>
    new ProblemError('site-not-in-org', 'The site does not belong to this organization.'),
};
