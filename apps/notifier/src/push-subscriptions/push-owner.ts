import type { UserCaller } from '@gatehouse/contracts-core';

/** The tenant to which a subscription is confined: the pushes of an organisation, or of a partner and all below it. */
export interface PushPlace {
  readonly partnerId: string | null;
  readonly orgId: string | null;
}

/** Whose subscriptions a caller reaches. */
export interface PushOwner {
  readonly userId: string;
  /** Null for a person's own session, which reaches all of their subscriptions and makes such as hold everywhere. */
  readonly place: PushPlace | null;
}

export const EVERYWHERE: PushPlace = { partnerId: null, orgId: null };

/** An identity provider or an API key is trusted in one tenant only: it reaches what was made from there. */
export const pushOwnerOf = ({ userId, confined, partnerId, orgId }: UserCaller): PushOwner => ({
  userId,
  place: confined ? { partnerId, orgId } : null,
});
