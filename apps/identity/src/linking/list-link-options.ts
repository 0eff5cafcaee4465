import type { UserCaller } from '@gatehouse/contracts-core';
import type { LinkOptionRecord } from '@gatehouse/contracts-identity';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { OwnLinksRepository } from './own-links.repository.ts';

/** `GET /sso/link/options`: the providers that the caller can link an identity of. */
@Injectable()
export class ListLinkOptions {
  constructor(
    private readonly work: UnitOfWork,
    private readonly ownLinksRepository: OwnLinksRepository,
  ) {}

  execute(caller: UserCaller): Promise<LinkOptionRecord[]> {
    return this.work.read(caller, (reader) => this.ownLinksRepository.options(reader, caller));
  }
}
