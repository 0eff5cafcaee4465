import type { UserCaller } from '@gatehouse/contracts-core';
import {
  MergeJobDto,
  MergePreviewDto,
  MergeRunDto,
  PreviewMergeDto,
  StartMergeDto,
} from '@gatehouse/contracts-tenancy';
import { CurrentCaller, Requires } from '@gatehouse/auth';
import { Refuses, UuidParam } from '@gatehouse/service';
import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { PreviewMerge } from './preview-merge.ts';
import { ReadMergeRun } from './read-merge-run.ts';
import { StartMerge } from './start-merge.ts';

/** Tenancy spec, "Organisations": merging one organisation into another. */
@Controller('orgs/organizations')
@ApiTags('organizations')
export class MergeController {
  constructor(
    private readonly previewMerge: PreviewMerge,
    private readonly startMerge: StartMerge,
    private readonly readMergeRun: ReadMergeRun,
  ) {}

  @Get('merge-runs/:id')
  @Requires('organizations:write', { levels: ['partner'] })
  @ApiOkResponse({ type: MergeRunDto })
  @Refuses('merge_run_not_found')
  poll(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) jobId: string): Promise<MergeRunDto> {
    return this.readMergeRun.execute(caller, jobId);
  }

  @Post(':id/merge-preview')
  @HttpCode(200)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.merge.start' })
  @ApiOkResponse({ type: MergePreviewDto })
  @Refuses('same_organization', 'organization_not_found')
  async preview(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() { survivorId }: PreviewMergeDto,
  ): Promise<MergePreviewDto> {
    return (await this.previewMerge.execute(caller, id, survivorId)).preview;
  }

  @Post(':id/merge')
  @HttpCode(202)
  @Requires('organizations:write', { levels: ['partner'], mfa: true, audit: 'organization.merge.start' })
  @ApiAcceptedResponse({ type: MergeJobDto })
  @Refuses(
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
  ): Promise<MergeJobDto> {
    return this.startMerge.execute(caller, id, choice);
  }
}
