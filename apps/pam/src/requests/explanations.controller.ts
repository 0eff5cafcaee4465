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
   * Explains a decision: what decided, which rules came closest, and which later rules also matched. The explanation
   * uses the rules at the time of the decision, even if they have changed since.
   */
  @Get('elevation-requests/:id/explanation')
  @Requires('devices:read')
  @ApiOkResponse({ type: ExplanationResponse })
  @ApiProblems('site_access_denied', 'elevation_request_not_found')
  async explain(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<ExplanationResponse> {
    const explanation = await this.heavyCalls.during(caller.id, () => this.explainRequest.explain(caller, id));
    return { success: true, explanation };
  }

  /** Explains how a hypothetical request would be decided. Nothing is stored, and no technician is notified. */
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
