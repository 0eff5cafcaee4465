import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import { OrgQuery, ReorderRulesDto, RulesResponse } from '@gatehouse/contracts-pam';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Put, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { withOrganization } from '../tenants/one-organization.ts';
import { RuleOrderService } from './rule-order.service.ts';

@ApiTags('PAM rules')
@Controller('pam/rules/order')
export class RuleOrderController {
  constructor(private readonly ruleOrder: RuleOrderService) {}

  /**
   * Puts rules of an organisation into another order. The named rules keep the places that they hold together; all
   * priorities become 10, 20, 30 and so on. It needs a caller who reaches every site.
   */
  @Put()
  @Requires('devices:write', { mfa: true, audit: 'pam.rule.reorder' })
  @ApiOkResponse({ type: RulesResponse })
  @ApiProblems('org_required', 'organization_not_found', 'organization_frozen', 'site_access_denied', 'rule_not_found')
  reorder(
    @CurrentCaller() caller: UserCaller,
    @Query() query: OrgQuery,
    @Body() order: ReorderRulesDto,
  ): Promise<RulesResponse> {
    return this.ruleOrder.reorderRules(caller, withOrganization(order, query));
  }
}
