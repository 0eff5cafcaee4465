import { paged, Refusal, type UserCaller } from '@gatehouse/contracts-core';
import type { ListUsersQuery, UserAnswer, UserPage, UserRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type StoredUser, UsersRepository } from './users.repository.ts';

const recordOf = ({ version: _, ...record }: StoredUser): UserRecord => record;

/** GET /users and /users/:id: people with a membership within the caller's reach. */
@Injectable()
export class ListUsers {
  constructor(private readonly work: UnitOfWork, private readonly users: UsersRepository) {}

  async execute(caller: UserCaller, query: ListUsersQuery): Promise<UserPage> {
    const { rows, total } = await this.work.read(caller, (reader) => this.users.list(reader, caller.scope, query));
    return paged(query, { rows: rows.map(recordOf), total });
  }

  async one(caller: UserCaller, id: string): Promise<UserAnswer> {
    const user = await this.work.read(caller, (reader) => this.users.find(reader, caller.scope, id));
    if (!user) throw new Refusal('user_not_found', 'There is no such user.');
    return { data: recordOf(user) };
  }
}
