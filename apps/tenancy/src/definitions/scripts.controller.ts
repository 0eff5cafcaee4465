import { CurrentCaller, Requires } from '@gatehouse/auth';
import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  CreateScriptDto,
  FaultyRowRecord,
  ImportedScriptRecord,
  ImportScriptsDto,
  ScriptQuery,
  ScriptResponse,
  SkippedScriptRecord,
  SuccessResponse,
  UpdateScriptDto,
} from '@gatehouse/contracts-tenancy';
import { HeavyCalls } from '@gatehouse/rate-limit';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiData, ApiLists, ApiPaged } from '../scope/api-paged.ts';
import { type ScriptImportOutcome, ScriptImportService, ScriptsService } from './scripts.service.ts';
import { OWNED_PROBLEMS, OWNER_PROBLEMS } from '../scope/owner.ts';

@Controller('scripts')
@ApiTags('scripts')
export class ScriptsController {
  constructor(private readonly scripts: ScriptsService) {}

  /** Lists the scripts in the caller's reach. */
  @Get()
  @Requires('scripts:read')
  @ApiPaged(ScriptResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: ScriptQuery) {
    return paged(query, await this.scripts.list(caller, query));
  }

  /** Adds a script to the library. */
  @Post()
  @Requires('scripts:write', { mfa: true, audit: 'script.create' })
  @ApiData(ScriptResponse, 201)
  @ApiProblems(...OWNER_PROBLEMS, 'name_taken')
  async create(@CurrentCaller() caller: UserCaller, @Body() draft: CreateScriptDto) {
    return { data: await this.scripts.create(caller, draft) };
  }

  /** Reads a script with its content. */
  @Get(':id')
  @Requires('scripts:read')
  @ApiData(ScriptResponse)
  @ApiProblems('script_not_found')
  async get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string) {
    return { data: await this.scripts.get(caller, id) };
  }

  /** Changes a script. */
  @Patch(':id')
  @Requires('scripts:write', { mfa: true, audit: 'script.update' })
  @ApiData(ScriptResponse)
  @ApiProblems(...OWNED_PROBLEMS, 'no_updates_provided', 'script_not_found', 'name_taken')
  async update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() patch: UpdateScriptDto,
  ) {
    return { data: await this.scripts.update(caller, id, patch) };
  }

  /** Deletes a script. */
  @Delete(':id')
  @HttpCode(200)
  @Requires('scripts:write', { mfa: true, audit: 'script.delete' })
  @ApiOkResponse({ type: SuccessResponse })
  @ApiProblems(...OWNED_PROBLEMS, 'script_not_found')
  async delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<SuccessResponse> {
    await this.scripts.delete(caller, id);
    return { success: true };
  }
}

@Controller('scripts/import')
@ApiTags('scripts')
export class ScriptImportsController {
  constructor(
    private readonly scriptImport: ScriptImportService,
    private readonly heavyCalls: HeavyCalls,
  ) {}

  /** Imports several scripts. Each is imported or reported separately. */
  @Post()
  @HttpCode(200)
  @Requires('scripts:write', { mfa: true, audit: 'script.import' })
  @ApiLists({ imported: ImportedScriptRecord, skipped: SkippedScriptRecord, errors: FaultyRowRecord })
  import(@CurrentCaller() caller: UserCaller, @Body() batch: ImportScriptsDto): Promise<ScriptImportOutcome> {
    return this.heavyCalls.during(caller.id, () => this.scriptImport.importScripts(caller, batch));
  }
}
