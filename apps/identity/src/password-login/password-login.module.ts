import { Module } from '@nestjs/common';
import { PasswordsModule } from '../passwords/passwords.module.ts';
import { PeopleModule } from '../people/people.module.ts';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { CompleteSignIn } from './complete-sign-in.ts';
import { PasswordLoginController } from './password-login.controller.ts';
import { SignInWithPassword } from './sign-in-with-password.ts';

@Module({ imports: [PeopleModule, PasswordsModule, SessionsModule], controllers: [PasswordLoginController], providers: [SignInWithPassword, CompleteSignIn], exports: [CompleteSignIn] })
export class PasswordLoginModule {}
