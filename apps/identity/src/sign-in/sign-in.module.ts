import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { CompletePasswordSignIn } from './complete-password-sign-in.ts';
import { CompleteSignIn } from './complete-sign-in.ts';
import { ContinuePasswordSignIn } from './continue-password-sign-in.ts';
import { MfaChallengesRepository } from './mfa-challenges.repository.ts';

@Module({
  imports: [EnforcementModule, SessionsModule],
  providers: [CompleteSignIn, CompletePasswordSignIn, ContinuePasswordSignIn, MfaChallengesRepository],
  exports: [CompleteSignIn, CompletePasswordSignIn, ContinuePasswordSignIn, MfaChallengesRepository],
})
export class SignInModule {}
