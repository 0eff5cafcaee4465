import { Module } from '@nestjs/common';
import { FactorsModule } from '../factors/factors.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { MfaChallenges } from './mfa-challenges.ts';
import { MfaController } from './mfa.controller.ts';
import { StepUpWithCode } from './step-up-with-code.ts';
import { VerifyMfa } from './verify-mfa.ts';

@Module({
  imports: [FactorsModule, PeopleModule, SessionCookieModule, SessionsModule, SignInModule],
  controllers: [MfaController],
  providers: [MfaChallenges, VerifyMfa, StepUpWithCode],
  exports: [MfaChallenges],
})
export class MfaModule {}
