import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateScriptDto,
  FaultyRowRecord,
  ImportedScriptRecord,
  ImportScriptsDto,
  ScriptResponse,
  ScriptQuery,
  SuccessResponse,
  UpdateScriptDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { ConcurrencyLimiter } from '@gatehouse/rate-limit';
import { HEAVY_CALLS, ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Inject, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiLists, ApiPaged } from '../rows/api-paged.ts';
import { ImportScripts, type ScriptImportOutcome } from './import-scripts.ts';
import { ListScripts } from './list-scripts.ts';
import { SaveScript } from './save-script.ts';

@Controller('scripts')
@ApiTags('scripts')
export class ScriptsController {
  constructor(
    private readonly listScripts: ListScripts,
    private readonly saveScript: SaveScript,
    private readonly importScripts: ImportScripts,
    @Inject(HEAVY_CALLS) private readonly heavyCalls: ConcurrencyLimiter,
  ) {}

  @Get()
  @Requires('scripts:read')
  @ApiPaged(ScriptResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ScriptQuery) {
    return paged(query, await this.listScripts.execute(caller, query));
  }

  @Post()
  @Requires('scripts:write', { mfa: true, audit: 'script.create' })
  @ApiData(ScriptResponse, 201)
  @ApiProblems(
    'partner_required',
    'org_required',
    'scope_denied',
    'site_access_denied',
    'organization_not_found',
    'organization_frozen',
    'name_taken',
  )
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateScriptDto) {
    return { data: await this.saveScript.create(caller, draft) };
  }

  @Post('import')
  @HttpCode(200)
  @Requires('scripts:write', { mfa: true, audit: 'script.import' })
  @ApiLists({ imported: ImportedScriptRecord, errors: FaultyRowRecord })
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportScriptsDto): Promise<ScriptImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.importScripts.execute(caller, batch));
  }

  @Get(':id')
  @Requires('scripts:read')
  @ApiData(ScriptResponse)
  @ApiProblems('script_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.listScripts.one(caller, id) };
  }

  @Patch(':id')
  @Requires('scripts:write', { mfa: true, audit: 'script.update' })
  @ApiData(ScriptResponse)
  @ApiProblems(
    'no_updates_provided',
    'scope_denied',
    'site_access_denied',
    'script_not_found',
    'organization_frozen',
    'name_taken',
  )
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateScriptDto,
  ) {
    return { data: await this.saveScript.update(caller, id, patch) };
  }

  @Delete(':id')
  @HttpCode(200)
  @Requires('scripts:write', { mfa: true, audit: 'script.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems('scope_denied', 'site_access_denied', 'script_not_found', 'organization_frozen')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.saveScript.delete(caller, id);
    return { success: true };
  }
}
