import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { UserResponse } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OffersRepository } from '../offers/offers.repository.ts';
import { recordOf, UsersRepository } from '../people/users.repository.ts';

/** GET /users/:id: a user with a membership within the caller's reach, or an open invitation. */
@Injectable()
export class GetUser {
  constructor(
    private readonly work: UnitOfWork,
    private readonly usersRepository: UsersRepository,
    private readonly offersRepository: OffersRepository,
  ) {}

  /** @throws ProblemError user_not_found */
  async execute(caller: UserCaller, id: string): Promise<UserResponse> {
    const user = await this.work.read(
      caller,
      async (reader) =>
        (await this.usersRepository.find(reader, caller.scope, id)) ??
        this.offersRepository.find(reader, caller.scope, id),
    );
    if (!user) throw new ProblemError('user_not_found', 'There is no such user.');
    return { data: recordOf(user) };
  }
}
