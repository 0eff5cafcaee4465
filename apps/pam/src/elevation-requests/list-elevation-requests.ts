import { invalid, type UserCaller } from '@gatehouse/contracts-core';
import { type ElevationRequestsResponse, isSortable, type ListElevationRequestsQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { rowView } from './elevation-request.view.ts';
import { InputReaders } from '../request-states/input-readers.repository.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';

@Injectable()
export class ListElevationRequests {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
    private readonly inputReaders: InputReaders,
  ) {}

  async execute(caller: UserCaller, query: ListElevationRequestsQuery): Promise<ElevationRequestsResponse> {
    const { page, limit, from, to } = query;
    if (from !== undefined && to !== undefined && Date.parse(from) > Date.parse(to))
      throw invalid('to', 'must not be before from');
    if (!isSortable(query)) throw invalid('sort', 'needs status to name open statuses only');
    const { requests, total, truncated } = await this.work.read(caller, async (reader) => {
      const { rows, ...found } = await this.elevationRequests.list(reader, caller.scope, query);
      const mayRead = await this.inputReaders.of(reader, caller, rows);
      return { ...found, requests: rows.map((row) => rowView(row, mayRead(row))) };
    });
    return { success: true, requests, pagination: { page, limit, total }, truncated };
  }
}
