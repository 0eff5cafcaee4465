interface InTenant {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** The tenant whose audit log records an action on the user: that of the first membership. */
export function tenantOf(memberships: readonly InTenant[] = []): InTenant {
  const [{ partnerId, orgId } = { partnerId: null, orgId: null }] = memberships;
  return { partnerId, orgId };
}
