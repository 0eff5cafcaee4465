import type { UserCaller } from '@gatehouse/contracts-core';
import { OrganizationOrderDto } from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems } from '@gatehouse/service';
import { Body, Controller, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { OrganizationOrderService } from './organization-order.service.ts';

@Controller('orgs/organizations/order')
@ApiTags('organizations')
export class OrganizationOrderController {
  constructor(private readonly organizationOrder: OrganizationOrderService) {}

  /** Sets the order in which the partner's organisations are listed. */
  @Patch()
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'partner.organization_order.update' })
  @ApiOkResponse({ type: OrganizationOrderDto })
  @ApiProblems('partner_context_required', 'org_access_denied')
  order(@CurrentCaller() caller: UserCaller, @Body() order: OrganizationOrderDto): Promise<OrganizationOrderDto> {
    return this.organizationOrder.orderOrganizations(caller, order);
  }
}
