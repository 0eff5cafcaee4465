import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { LoginResponse, LoginDto } from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieSignIn } from '../../sessions/session-cookie/cookie-sign-in.ts';
import { PasswordLoginService } from './password-login.service.ts';

@ApiTags('sign-in')
@Controller('auth')
export class PasswordLoginController {
  constructor(
    private readonly passwordLogin: PasswordLoginService,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /**
   * Signs in with e-mail address and password. The answer has tokens, or names the step that is still missing: a second
   * factor (`mfaRequired`) or the choice of a membership (`membershipRequired`). A wrong password, an unknown address,
   * a locked account and an account that must use single sign-on get the same answer.
   */
  @Post('login')
  @ApiRateLimit('signInByAccount', 'client and account')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: LoginResponse })
  @ApiProblems('invalid_credentials', 'rate_limited', 'origin_denied')
  login(
    @CurrentCaller() caller: Caller,
    @Body() body: LoginDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginResponse> {
    return this.cookieSignIn.cookie({ mode: body.session, request, reply }, () =>
      this.passwordLogin.signInWithPassword(caller, body),
    );
  }
}
