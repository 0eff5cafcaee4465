import type { UserCaller } from '@gatehouse/contracts-core';
import type { ActiveElevationsResponse, ListActiveElevationsQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { rowView } from './elevation-request.view.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';

@Injectable()
export class ListActiveElevations {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
  ) {}

  async execute(caller: UserCaller, query: ListActiveElevationsQuery): Promise<ActiveElevationsResponse> {
    const rows = await this.work.read(caller, (reader) => this.elevationRequests.active(reader, caller.scope, query));
    return { success: true, active: rows.map(rowView) };
  }
}
