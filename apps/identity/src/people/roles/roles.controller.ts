import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  CreateRoleDto,
  DoneResponse,
  ListRolesQuery,
  RoleResponse,
  RoleListResponse,
  UpdateRoleDto,
} from '@gatehouse/contracts-identity';
import { AnswersEtag, ApiIfMatch, ApiProblems, UuidParam, WITH_ETAG } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CHANGEABLE_ROLE_PROBLEMS, RolesService } from './roles.service.ts';

const versionOf = ({ data }: RoleResponse): number => data.version;

@ApiTags('roles')
@Controller('roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  /** Lists the roles that can be assigned in the caller's reach. */
  @Get()
  @Requires('users:read')
  @ApiOkResponse({ type: RoleListResponse })
  list(@CurrentCaller() caller: UserCaller, @Query() query: ListRolesQuery): Promise<RoleListResponse> {
    return this.roles.list(caller, query);
  }

  /** Creates a role. It cannot have permissions that the caller lacks. */
  @Post()
  @Requires('users:write', { mfa: true, audit: 'role.create' })
  @AnswersEtag(versionOf)
  @ApiCreatedResponse({ type: RoleResponse, ...WITH_ETAG })
  @ApiProblems(
    'role_not_grantable',
    'site_access_denied',
    'name_taken',
    'organization_not_found',
    'organization_frozen',
    'partner_not_found',
    'partner_access_denied',
    'scope_denied',
    'partner_required',
  )
  create(@CurrentCaller() caller: UserCaller, @Body() body: CreateRoleDto): Promise<RoleResponse> {
    return this.roles.create(caller, body);
  }

  /** Changes a role's name or permissions. The new permissions apply to people with the role within five seconds. */
  @Patch(':id')
  @Requires('users:write', { mfa: true, audit: 'role.update' })
  @ApiIfMatch()
  @AnswersEtag(versionOf)
  @ApiOkResponse({ type: RoleResponse, ...WITH_ETAG })
  @ApiProblems(...CHANGEABLE_ROLE_PROBLEMS, 'name_taken', 'no_updates_provided')
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: UpdateRoleDto,
  ): Promise<RoleResponse> {
    return this.roles.update(caller, id, body);
  }

  /** Deletes a role that no member and no open invitation has. */
  @Delete(':id')
  @Requires('users:write', { mfa: true, audit: 'role.delete' })
  @ApiIfMatch()
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems(...CHANGEABLE_ROLE_PROBLEMS, 'role_in_use')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.roles.delete(caller, id);
  }
}
