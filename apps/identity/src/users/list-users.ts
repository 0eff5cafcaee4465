import { paged, type UserCaller } from '@gatehouse/contracts-core';
import type { ListUsersQuery, UserPageResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { recordOf, UsersRepository } from '../people/users.repository.ts';

/** GET /users: users with a membership within the caller's reach, and open invitations. */
@Injectable()
export class ListUsers {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
  ) {}

  async execute(caller: UserCaller, query: ListUsersQuery): Promise<UserPageResponse> {
    const { rows, total } = await this.work.read(caller, (reader) =>
      this.usersRepository.list(reader, caller.scope, query),
    );
    return paged(query, { rows: rows.map(recordOf), total });
  }
}
