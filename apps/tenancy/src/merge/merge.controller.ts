import { paged, type UserCaller } from '@gatehouse/contracts-core';
import {
  MergeJobResponse,
  MergePreviewResponse,
  MergeRunQuery,
  MergeRunResponse,
  PreviewMergeDto,
  StartMergeDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { ApiPaged } from '../scope/api-paged.ts';
import { MergeService } from './merge.service.ts';
import { PreviewMerge } from './preview-merge.ts';
import { StartMerge } from './start-merge.ts';

/** TEN-44, TEN-48: merging one organisation into another. */
@Controller('orgs/organizations')
@ApiTags('organizations')
export class MergeController {
  constructor(
    private readonly previewMerge: PreviewMerge,
    private readonly startMerge: StartMerge,
    private readonly mergeService: MergeService,
  ) {}

  /** Lists current and past merges of which both organisations are in the caller's reach, newest first. */
  @Get('merge-runs')
  @Requires('organizations:write', { levels: ['partner'] })
  @ApiPaged(MergeRunResponse)
  async list(@CurrentCaller() caller: UserCaller, @Query() query: MergeRunQuery) {
    return paged(query, await this.mergeService.listMergeRuns(caller, query));
  }

  /** Reads the progress of a merge. */
  @Get('merge-runs/:id')
  @Requires('organizations:write', { levels: ['partner'] })
  @ApiOkResponse({ type: MergeRunResponse })
  @ApiProblems('merge_run_not_found')
  poll(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) jobId: string): Promise<MergeRunResponse> {
    return this.mergeService.getMergeRun(caller, jobId);
  }

  /**
   * Shows the records that a merge of two organisations would move, without moving them. The plan token in the response
   * ensures that the merge does what was shown.
   */
  @Post(':id/merge-preview')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.merge.start' })
  @ApiOkResponse({ type: MergePreviewResponse })
  @ApiProblems('same_organization', 'organization_not_found')
  async preview(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { survivorId }: PreviewMergeDto,
  ): Promise<MergePreviewResponse> {
    return (await this.previewMerge.preview(caller, id, survivorId)).preview;
  }

  /**
   * Merges an organisation into another. Everything below it moves to the survivor in the background; read the progress
   * from the merge run. A merge cannot be undone.
   */
  @Post(':id/merge')
  @HttpCode(202)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.merge.start' })
  @ApiAcceptedResponse({ type: MergeJobResponse })
  @ApiProblems(
    'same_organization',
    'name_mismatch',
    'organization_not_found',
    'plan_stale',
    'organization_frozen',
    'merge_too_large',
    'merge_blocked',
  )
  merge(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() choice: StartMergeDto,
  ): Promise<MergeJobResponse> {
    return this.startMerge.start(caller, id, choice);
  }
}
