import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import {
  AcceptInviteDto,
  InvitationTokenDto,
  LoginResponse,
  OpenInvitationResponse,
} from '@gatehouse/contracts-identity';
import { ApiProblems, perClient, RateLimit } from '@gatehouse/service';
import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CookieSignIn } from '../sessions/session-cookie/cookie-sign-in.ts';
import { InvitationsService } from './invitations.service.ts';

@ApiTags('sign-in')
@Controller('auth')
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly cookieSignIn: CookieSignIn,
  ) {}

  /** Reads an invitation by the token from its e-mail: who invites whom to what. */
  @Post('invitation')
  @Public()
  @RateLimit('loginContext', perClient)
  @HttpCode(200)
  @ApiOkResponse({ type: OpenInvitationResponse })
  @ApiProblems('invitation_invalid')
  read(@CurrentCaller() caller: Caller, @Body() { token }: InvitationTokenDto): Promise<OpenInvitationResponse> {
    return this.invitations.read(caller, token);
  }

  /**
   * Accepts an invitation and signs in. The token is in the link of the invitation e-mail (`/accept-invite?token=…`). A
   * user who has an account confirms with its password; a new user chooses one. The service checks again whether the
   * author of the invitation can grant what it offers.
   */
  @Post('accept-invite')
  @Public()
  @HttpCode(200)
  @ApiOkResponse({ type: LoginResponse })
  @ApiProblems(
    'invitation_invalid',
    'password_too_common',
    'invalid_credentials',
    'sso_enforced',
    'email_taken',
    'organization_frozen',
    'break_glass_limit_reached',
    'rate_limited',
    'origin_denied',
  )
  accept(
    @CurrentCaller() caller: Caller,
    @Body() body: AcceptInviteDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LoginResponse> {
    return this.cookieSignIn.cookie({ mode: body.session, request, reply }, () =>
      this.invitations.accept(caller, body),
    );
  }
}
