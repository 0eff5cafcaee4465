import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionCookieModule } from '../session-cookie/session-cookie.module.ts';
import { SignInModule } from '../sign-in/sign-in.module.ts';
import { PasswordAttempts } from './password-attempts.ts';
import { PasswordLoginController } from './password-login.controller.ts';
import { SignInWithPassword } from './sign-in-with-password.ts';

@Module({
  imports: [PeopleModule, PasswordsModule, SessionCookieModule, SignInModule],
  controllers: [PasswordLoginController],
  providers: [SignInWithPassword, PasswordAttempts],
  exports: [PasswordAttempts],
})
export class PasswordLoginModule {}
