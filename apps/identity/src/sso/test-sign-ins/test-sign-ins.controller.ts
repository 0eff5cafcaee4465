import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { TestSignInResponse, TestSignInStartedResponse } from '@gatehouse/contracts-identity';
import { ApiProblems, ApiRateLimit, UuidParam } from '@gatehouse/service';
import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { StateCookies } from '../login/browser/state-cookies.ts';
import { TestSignIns } from './test-sign-ins.service.ts';
import { MAY_CHANGE_PROBLEMS } from '../../providers/configuration/settings/provider-owner.ts';

@ApiTags('sso providers')
@Controller('sso')
export class TestSignInsController {
  constructor(
    private readonly testSignIns: TestSignIns,
    private readonly stateCookies: StateCookies,
  ) {}

  /**
   * Starts a test sign-in, whatever the status of the identity provider. Send the browser to `url`; it returns to
   * `/sso-test`. The test opens no session and creates no account.
   */
  @Post('providers/:id/test-sign-ins')
  @ApiRateLimit('ssoTest', 'user')
  @Requires('organizations:write', { mfa: true, audit: 'sso.provider.test' })
  @ApiCreatedResponse({ type: TestSignInStartedResponse })
  @ApiProblems(...MAY_CHANGE_PROBLEMS, 'sso_provider_not_found', 'sso_provider_incomplete', 'idempotency_secret_shown')
  async begin(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) providerId: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<TestSignInStartedResponse> {
    const { state, callbackPath, ...data } = await this.testSignIns.begin(caller, providerId);
    reply.header('set-cookie', this.stateCookies.issue(state, callbackPath)).header('cache-control', 'no-store');
    return { data };
  }

  /** Reads a test sign-in: whether the browser has returned from the provider, and what would have happened. */
  @Get('test-sign-ins/:id')
  @Requires('organizations:write')
  @ApiOkResponse({ type: TestSignInResponse })
  @ApiProblems('sso_attempt_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<TestSignInResponse> {
    return this.testSignIns.get(caller, id);
  }
}
