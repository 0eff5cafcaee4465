import type { SignOnState } from './organization.dto.ts';

/** Request subjects on which the services that hold them reply with figures of organisations, for their summaries. */
export const ORGANIZATION_PEOPLE = 'ask.identity.organization_figures';
export const ORGANIZATION_ELEVATIONS = 'ask.pam.organization_figures';

export interface OrganizationFiguresQuestion {
  /** At most 100. */
  readonly organizations: readonly { readonly orgId: string; readonly partnerId: string }[];
}

export interface OrganizationFigures<T> {
  /** Organisations for which the service holds nothing may be missing. */
  readonly figures: readonly (T & { readonly orgId: string })[];
}

export interface PeopleFigures {
  readonly people: number;
  readonly sso: SignOnState;
}

export interface ElevationFigures {
  readonly waiting: number;
  readonly active: number;
}
