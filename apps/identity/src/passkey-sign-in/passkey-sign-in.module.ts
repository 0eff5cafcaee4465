import { Module } from '@nestjs/common';
import { MfaModule } from '../mfa/mfa.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { WebauthnModule } from '../webauthn/webauthn.module.ts';
import { BeginPasskeySignIn } from './begin-passkey-sign-in.ts';
import { FinishPasskeySignIn } from './finish-passkey-sign-in.ts';
import { PasskeySignInController } from './passkey-sign-in.controller.ts';

@Module({
  imports: [MfaModule, SessionCookieModule, SignInModule, WebauthnModule],
  controllers: [PasskeySignInController],
  providers: [BeginPasskeySignIn, FinishPasskeySignIn],
})
export class PasskeySignInModule {}
