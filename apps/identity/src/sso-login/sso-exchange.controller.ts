import { CurrentCaller, Public } from '@gatehouse/auth';
import type { Caller } from '@gatehouse/contracts-core';
import { ExchangeCodeDto, SsoTokensResponse } from '@gatehouse/contracts-identity';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { browserIn } from './browser/browser-cookie.ts';
import { ExchangeCode } from './exchange-code.ts';

@ApiTags('sso sign-in')
@Controller('sso')
export class SsoExchangeController {
  constructor(private readonly exchangeCode: ExchangeCode) {}

  /** Exchanges the code of a completed single sign-on for tokens. The code works once, for two minutes. */
  @Post('exchange')
  @HttpCode(200)
  @Public()
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ type: SsoTokensResponse })
  @ApiProblems('exchange_code_invalid')
  exchange(
    @CurrentCaller() caller: Caller,
    @Req() { headers }: FastifyRequest,
    @Body() { code }: ExchangeCodeDto,
  ): Promise<SsoTokensResponse> {
    return this.exchangeCode.execute(caller, { code, browser: browserIn(headers.cookie) });
  }
}
