import {
  ACCESS_TOKEN_ISSUER,
  MAX_OFFLINE_RULES_BYTES,
  OFFLINE_RULES_SECONDS,
  OFFLINE_RULES_TYPE,
  type OfflineRulesQuestion,
  SIGN_OFFLINE_RULES,
  type SignedOfflineRules,
} from '@gatehouse/contracts-identity';
import { EventBus } from '@gatehouse/messaging';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { signedToken } from './access-tokens.ts';
import { SigningKeys } from './signing-keys.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Signs, for `pam-ingest`, the rules that an agent keeps for the time it is offline (PAM-97). The type, the audience
 * and the lifetime are set here, so that a reply can never be an access token.
 */
@Injectable()
export class SignOfflineRules implements OnApplicationBootstrap {
  constructor(
    private readonly signingKeys: SigningKeys,
    private readonly bus: EventBus,
  ) {}

  onApplicationBootstrap(): void {
    this.bus.reply<OfflineRulesQuestion>(SIGN_OFFLINE_RULES, (question) => this.sign(question));
  }

  async sign({ deviceId, ruleSet }: OfflineRulesQuestion): Promise<SignedOfflineRules> {
    const { orgId, siteId, rulebookVersion, floor, rules, otherwise, complete } = ruleSet;
    const content = { orgId, siteId, rulebookVersion, floor, rules, otherwise, complete };
    if (!UUID.test(deviceId)) throw new Error('offline rules need the id of a device');
    if (Buffer.byteLength(JSON.stringify(content)) > MAX_OFFLINE_RULES_BYTES)
      throw new Error(`the offline rules of device ${deviceId} are too large`);
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + OFFLINE_RULES_SECONDS;
    const claims = { iss: ACCESS_TOKEN_ISSUER, aud: deviceId, iat, exp, ...content };
    return {
      jws: signedToken(await this.signingKeys.signing(), OFFLINE_RULES_TYPE, claims),
      expiresAt: new Date(exp * 1000).toISOString(),
    };
  }
}
