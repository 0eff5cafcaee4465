import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { OwnFactorsModule } from '../own-factors/own-factors.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { BeginPasskeyRegistration } from './begin-passkey-registration.ts';
import { BeginPasskeyStepUp } from './begin-passkey-step-up.ts';
import { FinishPasskeyRegistration } from './finish-passkey-registration.ts';
import { FinishPasskeyStepUp } from './finish-passkey-step-up.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { ProvePasskey } from './prove-passkey.ts';
import { RelyingParty } from './relying-party.ts';
import { WebauthnController } from './webauthn.controller.ts';

@Module({
  imports: [FactorsModule, OwnFactorsModule, SessionCookieModule, SessionsModule],
  controllers: [WebauthnController],
  providers: [
    RelyingParty,
    PasskeysRepository,
    ProvePasskey,
    BeginPasskeyRegistration,
    FinishPasskeyRegistration,
    BeginPasskeyStepUp,
    FinishPasskeyStepUp,
  ],
  exports: [RelyingParty, PasskeysRepository, ProvePasskey],
})
export class WebauthnModule {}
