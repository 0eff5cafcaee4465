import { Requires } from '@gatehouse/auth';
import { ToolCatalogResponse } from '@gatehouse/contracts-pam';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ToolsService } from './tools.service.ts';

@ApiTags('AI tool actions')
@Controller('pam/tools')
export class ToolsController {
  constructor(private readonly tools: ToolsService) {}

  /** Lists the tools of the catalogue with the risk tiers of their actions. An unknown tool has tier 4. */
  @Get()
  @Requires('devices:read')
  @ApiOkResponse({ type: ToolCatalogResponse })
  catalog(): ToolCatalogResponse {
    return { success: true, tools: this.tools.list() };
  }
}
