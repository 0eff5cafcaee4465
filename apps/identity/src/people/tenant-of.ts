interface InTenant {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** In whose audit log something about a person stands: that of the first membership. */
export function tenantOf(memberships: readonly InTenant[] = []): InTenant {
  const [{ partnerId, orgId } = { partnerId: null, orgId: null }] = memberships;
  return { partnerId, orgId };
}
