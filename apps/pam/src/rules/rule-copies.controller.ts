import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { CopyRuleDto, OrgQuery, RuleCopiesResponse } from '@gatehouse/contracts-pam';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CopyRule } from './copy-rule.ts';

const OK = 200;

@ApiTags('PAM rules')
@Controller('pam/rules/:id/copies')
export class RuleCopiesController {
  constructor(private readonly copyRule: CopyRule) {}

  /**
   * Copies a rule to other organisations. Each gets the rule as it is or is told why not; one that refuses does not
   * hinder the others. A rule that names a site or a signer group cannot be copied, because these belong to its
   * organisation.
   */
  @Post()
  @HttpCode(OK)
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.create' })
  @ApiOkResponse({ type: RuleCopiesResponse })
  @ApiProblems('rule_not_found')
  async copy(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Query() { orgId }: OrgQuery,
    @Body() targets: CopyRuleDto,
  ): Promise<RuleCopiesResponse> {
    return { success: true, copies: await this.copyRule.copy(caller, { id, orgId }, targets) };
  }
}
