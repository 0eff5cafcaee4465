import { Instant, Text, Whole } from '@gatehouse/contracts-core';

const MAX_JWS = 1_000_000;
const MAX_VERSION = 2_147_483_647;
const DAY_SECONDS = 86_400;

/** The rules that an agent applies while it is offline (PAM-97). */
export class OfflineRulesResponse {
  @Text({
    max: MAX_JWS,
    description:
      'A compact JWS of type `gatehouse-offline-rules+jwt`, signed with a key of `/.well-known/jwks.json`. ' +
      'Its claims are `iss`, `aud` (the device), `iat`, `exp`, `orgId`, `siteId`, `rulebookVersion`, `rules`, ' +
      '`otherwise` and `complete`.',
  })
  jws!: string;
  @Whole({ min: 1, max: MAX_VERSION, description: 'The version of the rules; each change of a rule increments it.' })
  rulebookVersion!: number;
  @Instant({ description: 'When the document expires.' }) expiresAt!: string;
  @Whole({
    min: 0,
    max: DAY_SECONDS,
    description: 'Seconds until the document expires, for agents whose clock is not right.',
  })
  validForSeconds!: number;
}
