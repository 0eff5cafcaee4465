import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.ts';
import { CookieSignIn } from './cookie-sign-in.ts';
import { SessionCookie } from './session-cookie.ts';

@Module({
  imports: [SessionsModule],
  providers: [SessionCookie, CookieSignIn],
  exports: [SessionCookie, CookieSignIn],
})
export class SessionCookieModule {}
