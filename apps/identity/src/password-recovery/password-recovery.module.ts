import { Module } from '@nestjs/common';
import { EnforcementModule } from '../enforcement/enforcement.module.ts';
import { MailModule } from '../mail/mail.module.ts';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { ChangePassword } from './change-password.ts';
import { PasswordFacts } from './password-facts.ts';
import { PasswordRecoveryController } from './password-recovery.controller.ts';
import { ReplacePassword } from './replace-password.ts';
import { RequestPasswordReset } from './request-password-reset.ts';
import { ResetPassword } from './reset-password.ts';
import { SendResetLink } from './send-reset-link.ts';

@Module({
  imports: [EnforcementModule, MailModule, PasswordsModule, PeopleModule, SessionsModule],
  controllers: [PasswordRecoveryController],
  providers: [RequestPasswordReset, SendResetLink, ResetPassword, ChangePassword, PasswordFacts, ReplacePassword],
})
export class PasswordRecoveryModule {}
