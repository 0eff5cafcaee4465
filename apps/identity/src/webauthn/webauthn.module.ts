import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { MfaModule } from '../mfa/mfa.module.ts';
import { OwnFactorsModule } from '../own-factors/own-factors.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { BeginPasskeyRegistration } from './begin-passkey-registration.ts';
import { BeginPasskeySignIn } from './begin-passkey-sign-in.ts';
import { BeginPasskeyStepUp } from './begin-passkey-step-up.ts';
import { FinishPasskeyRegistration } from './finish-passkey-registration.ts';
import { FinishPasskeySignIn } from './finish-passkey-sign-in.ts';
import { FinishPasskeyStepUp } from './finish-passkey-step-up.ts';
import { PasskeysRepository } from './passkeys.repository.ts';
import { ProvePasskey } from './prove-passkey.ts';
import { RelyingParty } from './relying-party.ts';
import { WebauthnController } from './webauthn.controller.ts';

@Module({
  imports: [FactorsModule, MfaModule, OwnFactorsModule, SessionsModule, SignInModule],
  controllers: [WebauthnController],
  providers: [
    RelyingParty,
    PasskeysRepository,
    ProvePasskey,
    BeginPasskeyRegistration,
    FinishPasskeyRegistration,
    BeginPasskeySignIn,
    FinishPasskeySignIn,
    BeginPasskeyStepUp,
    FinishPasskeyStepUp,
  ],
})
export class WebauthnModule {}
