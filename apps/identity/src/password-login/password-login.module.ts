import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { CompleteSignIn } from './complete-sign-in.ts';
import { PasswordAttempts } from './password-attempts.ts';
import { PasswordLoginController } from './password-login.controller.ts';
import { SignInWithPassword } from './sign-in-with-password.ts';

@Module({
  imports: [EnforcementModule, PeopleModule, PasswordsModule, SessionsModule],
  controllers: [PasswordLoginController],
  providers: [SignInWithPassword, PasswordAttempts, CompleteSignIn],
  exports: [CompleteSignIn, PasswordAttempts],
})
export class PasswordLoginModule {}
