import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import { type ElevationRequestsResponse, isSortable, type ListElevationRequestsQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { rowView } from './elevation-request.view.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';

@Injectable()
export class ListElevationRequests {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
  ) {}

  async execute(caller: UserCaller, query: ListElevationRequestsQuery): Promise<ElevationRequestsResponse> {
    const { page, limit, from, to } = query;
    if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
      throw invalid('to', 'must not be before from');
    if (!isSortable(query)) throw invalid('sort', 'needs status to name open statuses only');
    const { rows, total, truncated } = await this.work.read(caller, (reader) =>
      this.elevationRequests.list(reader, caller.scope, query),
    );
    return { success: true, requests: rows.map(rowView), pagination: { page, limit, total }, truncated };
  }
}
