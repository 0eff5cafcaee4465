import { Module } from '@nestjs/common';
import { MfaModule } from '../mfa/mfa.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { Passkeys } from './passkeys.ts';
import { RegisterPasskey } from './register-passkey.ts';
import { RelyingParty } from './relying-party.ts';
import { SignInWithPasskey } from './sign-in-with-passkey.ts';
import { StepUpWithPasskey } from './step-up-with-passkey.ts';
import { WebauthnController } from './webauthn.controller.ts';

@Module({
  imports: [MfaModule, SessionsModule],
  controllers: [WebauthnController],
  providers: [RelyingParty, Passkeys, RegisterPasskey, SignInWithPasskey, StepUpWithPasskey],
})
export class WebauthnModule {}
