import { CurrentCaller, Requires } from '@gatehouse/auth';
import type { UserCaller } from '@gatehouse/contracts-core';
import {
  DoneResponse,
  InviteUserDto,
  ListUsersQuery,
  UpdateUserDto,
  UserResponse,
  UserPageResponse,
} from '@gatehouse/contracts-identity';
import { ApiProblems, UuidParam } from '@gatehouse/service';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CHANGEABLE_USER_PROBLEMS } from '../../people/memberships/memberships.service.ts';
import { UsersService } from './users.service.ts';
import { MEMBERSHIP_PROBLEMS } from '../../people/memberships/membership-grants.ts';

@ApiTags('users')
@Controller('users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** Lists the users in the caller's reach. Open invitations are listed with `status=invited`. */
  @Get()
  @Requires('users:read')
  @ApiOkResponse({ type: UserPageResponse })
  list(@CurrentCaller() caller: UserCaller, @Query() query: ListUsersQuery): Promise<UserPageResponse> {
    return this.users.list(caller, query);
  }

  /** Reads a user. */
  @Get(':id')
  @Requires('users:read')
  @ApiOkResponse({ type: UserResponse })
  @ApiProblems('user_not_found')
  get(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<UserResponse> {
    return this.users.get(caller, id);
  }

  /**
   * Invites a user by e-mail with a link (`/accept-invite?token=…`) that is valid for seven days. The caller cannot
   * assign a role with permissions that the caller lacks. A tenant can invite an address at most five times a day.
   */
  @Post()
  @Requires('users:write', { mfa: true, audit: 'user.create' })
  @ApiCreatedResponse({ type: UserResponse })
  @ApiProblems(...MEMBERSHIP_PROBLEMS, 'email_taken', 'break_glass_limit_reached', 'rate_limited')
  invite(@CurrentCaller() caller: UserCaller, @Body() body: InviteUserDto): Promise<UserResponse> {
    return this.users.invite(caller, body);
  }

  /**
   * Changes a user's name, status, membership or break-glass status. Omitted members are not changed. A caller who does
   * not reach all memberships of the user changes only the one in their own tenant.
   */
  @Patch(':id')
  @Requires('users:write', { mfa: true, audit: 'user.update' })
  @ApiOkResponse({ type: UserResponse })
  @ApiProblems(
    ...MEMBERSHIP_PROBLEMS,
    'user_not_found',
    'no_updates_provided',
    'break_glass_limit_reached',
    'email_taken',
    'conflict',
  )
  update(
    @CurrentCaller() caller: UserCaller,
    @Param('id', UuidParam) id: string,
    @Body() body: UpdateUserDto,
  ): Promise<UserResponse> {
    return this.users.update(caller, id, body);
  }

  /** Deletes a user's memberships within the caller's reach, and the account with the last one. */
  @Delete(':id')
  @Requires('users:write', { mfa: true, audit: 'user.delete' })
  @ApiOkResponse({ type: DoneResponse })
  @ApiProblems(...CHANGEABLE_USER_PROBLEMS, 'conflict')
  delete(@CurrentCaller() caller: UserCaller, @Param('id', UuidParam) id: string): Promise<DoneResponse> {
    return this.users.delete(caller, id);
  }
}
