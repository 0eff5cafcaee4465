import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { ExplainDecisionDto, ExplanationResponse } from '@gatehouse/contracts-pam';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, HttpStatus, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ExplanationsService } from './explanations.service.ts';
import { ExplainRequest } from './explain-request.ts';

@ApiTags('Elevation requests')
@Controller('pam')
export class ExplanationsController {
  constructor(
    private readonly explainRequest: ExplainRequest,
    private readonly explanations: ExplanationsService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /**
   * Explains why a request was decided as it was: what decided, which rules came closest, and which came too late.
   * The rules are those that decided it, also after they have changed.
   */
  @Get('elevation-requests/:id/explanation')
  @Requires('devices:read')
  @ApiOkResponse({ type: ExplanationResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found')
  async explain(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ExplanationResponse> {
    const explanation = await this.heavyCalls.during(caller.id, () => this.explainRequest.explain(caller, id));
    return { success: true, explanation };
  }

  /**
   * Explains what would be decided about a request that was not made. Nothing is stored, and no technician is asked.
   */
  @Post('decisions/explain')
  @HttpCode(HttpStatus.OK)
  @Requires('devices:write', { audit: 'pam.rule.preview' })
  @ApiOkResponse({ type: ExplanationResponse })
  @ApiProblems('site_access_denied', 'device_not_found')
  async explainDecision(
    @CurrentCaller() caller: UserCaller,
    @Body() draft: ExplainDecisionDto,
  ): Promise<ExplanationResponse> {
    const explanation = await this.heavyCalls.during(caller.id, () => this.explanations.explainDraft(caller, draft));
    return { success: true, explanation };
  }
}
