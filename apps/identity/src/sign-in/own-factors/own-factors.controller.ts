import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  DoneResponse,
  FactorListResponse,
  RecoveryCodesResponse,
  TotpConfirmDto,
  TotpConfirmedResponse,
  TotpEnrolmentResponse,
} from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { SessionCookie } from '../../sessions/session-cookie/session-cookie.ts';
import { OwnFactorsService } from './own-factors.service.ts';

@ApiTags('second factor')
@Controller('auth/mfa')
export class OwnFactorsController {
  constructor(
    private readonly ownFactors: OwnFactorsService,
    private readonly sessionCookie: SessionCookie,
  ) {}

  /**
   * Starts the enrolment of an authenticator app. The response contains the secret and the address for a QR code. A
   * user who already has a factor must have confirmed it in this session.
   */
  @Post('totp/enroll')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TotpEnrolmentResponse })
  @ApiProblems('mfa_required', 'factor_exists', 'idempotency_secret_shown')
  enrol(@CurrentCaller() caller: UserCaller): Promise<TotpEnrolmentResponse> {
    return this.ownFactors.beginTotpEnrolment(caller);
  }

  /**
   * Confirms the authenticator app with its first code. The response contains new recovery codes, which are shown only
   * once, and tokens of a session with a confirmed second factor.
   */
  @Post('totp/confirm')
  @Requires(null, { sessionOnly: true, evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: TotpConfirmedResponse })
  @ApiProblems('mfa_code_invalid', 'mfa_required', 'factor_exists', 'idempotency_secret_shown', 'rate_limited')
  @ApiRateLimit('mfa', 'user')
  async confirm(
    @CurrentCaller() caller: UserCaller,
    @Body() { code }: TotpConfirmDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TotpConfirmedResponse> {
    return this.sessionCookie.deliver(reply, await this.ownFactors.confirmTotp(caller, code));
  }

  /** Lists the caller's second factors. */
  @Get('factors')
  @Requires(null, { evenIfPartnerInactive: true })
  @ApiOkResponse({ type: FactorListResponse })
  list(@CurrentCaller() caller: UserCaller): Promise<FactorListResponse> {
    return this.ownFactors.list(caller);
  }

  /** Removes one of the caller's second factors. Links in e-mails and other sessions stop working. */
  @Delete('factors/:id')
  @Requires(null, { mfa: true, audit: 'user.mfa.remove', evenIfPartnerInactive: true })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems('permission_denied', 'factor_not_found', 'conflict')
  remove(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.ownFactors.delete(caller, id);
  }

  /** Replaces the caller's recovery codes. The old ones stop working; the new ones are shown only once. */
  @Post('recovery-codes')
  @Requires(null, { mfa: true, audit: 'user.mfa.enroll', evenIfPartnerInactive: true })
  @HttpCode(200)
  @ApiOkResponse({ type: RecoveryCodesResponse })
  @ApiProblems('permission_denied', 'factor_not_found', 'idempotency_secret_shown')
  recoveryCodes(@CurrentCaller() caller: UserCaller): Promise<RecoveryCodesResponse> {
    return this.ownFactors.renewRecoveryCodes(caller);
  }
}
