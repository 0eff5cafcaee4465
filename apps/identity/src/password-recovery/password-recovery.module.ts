import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { MailModule } from '../mail/mail.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { ChangePassword, PasswordFacts } from './change-password.ts';
import { PasswordRecoveryController } from './password-recovery.controller.ts';
import { RequestPasswordReset } from './request-password-reset.ts';
import { ResetPassword } from './reset-password.ts';

@Module({
  imports: [EnforcementModule, MailModule, PasswordsModule, PeopleModule, SessionsModule],
  controllers: [PasswordRecoveryController],
  providers: [RequestPasswordReset, ResetPassword, ChangePassword, PasswordFacts],
})
export class PasswordRecoveryModule {}
