import { paged, ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ListUsersQuery, UserResponse, UserPageResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OffersRepository } from '../offers/offers.repository.ts';
import { recordOf, UsersRepository } from '../people/users.repository.ts';

/** GET /users and /users/:id: users with a membership within the caller's reach, and open invitations. */
@Injectable()
export class ListUsers {
  constructor(
    private readonly work: UnitOfWork,
    private readonly users: UsersRepository,
    private readonly offers: OffersRepository,
  ) {}

  async execute(caller: UserCaller, query: ListUsersQuery): Promise<UserPageResponse> {
    const { rows, total } = await this.work.read(caller, (reader) => this.users.list(reader, caller.scope, query));
    return paged(query, { rows: rows.map(recordOf), total });
  }

  async one(caller: UserCaller, id: string): Promise<UserResponse> {
    const user = await this.work.read(
      caller,
      async (reader) => (await this.users.find(reader, caller.scope, id)) ?? this.offers.find(reader, caller.scope, id),
    );
    if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
    return { data: recordOf(user) };
  }
}
