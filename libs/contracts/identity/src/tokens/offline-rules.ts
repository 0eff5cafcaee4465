/** Request subject on which identity signs the rules that an agent keeps for the time it is offline. */
export const SIGN_OFFLINE_RULES = 'ask.identity.offline_rules';
/** Distinguishes these documents from all other tokens of the product, above all from access tokens. */
export const OFFLINE_RULES_TYPE = 'gatehouse-offline-rules+jwt';
export const OFFLINE_RULES_SECONDS = 24 * 60 * 60;
/** The size of the rules as JSON: with its signature, the document stays below the largest message of the broker. */
export const MAX_OFFLINE_RULES_BYTES = 512 * 1024;

/** What an agent may decide while it is offline; it never grants. */
export type OfflineVerdict = 'deny' | 'ask';

/**
 * The rules of one device. The first entry of `rules` that matches a prompt decides, else `otherwise` does. The first
 * entry of `floor` that matches denies whatever was decided, or changes nothing.
 */
export interface OfflineRuleSet<Entry extends object = object> {
  readonly orgId: string;
  readonly siteId: string;
  readonly rulebookVersion: number;
  readonly floor: readonly Entry[];
  readonly rules: readonly Entry[];
  readonly otherwise: OfflineVerdict;
  /** False if the rules were too many; the prompts that the missing ones would decide are asked about. */
  readonly complete: boolean;
}

export interface OfflineRulesQuestion {
  readonly deviceId: string;
  readonly ruleSet: OfflineRuleSet;
}

export interface SignedOfflineRules {
  /** A compact JWS: its claims are `iss`, `aud` (the device), `iat`, `exp` and the members of the rule set. */
  readonly jws: string;
  readonly expiresAt: string;
}
