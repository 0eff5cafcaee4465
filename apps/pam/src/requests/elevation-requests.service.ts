import { invalid, requireInOrder, type UserCaller } from '@gatehouse/contracts-core';
import {
  type ActiveElevationsResponse,
  type ElevationRequestDetailRecord,
  type ElevationRequestsResponse,
  isOpenOnly,
  isSortable,
  type ListActiveElevationsQuery,
  type ListElevationRequestsQuery,
} from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { InputReaders } from './input-readers.repository.ts';
import { requireReach } from './request-problems.ts';
import { detailView } from './elevation-request-detail.view.ts';
import { rowView } from './elevation-request.view.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';
import { RequestHistoryRepository } from './request-history.repository.ts';

@Injectable()
export class ElevationRequestsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
    private readonly inputReaders: InputReaders,
    private readonly requestHistory: RequestHistoryRepository,
  ) {}

  async listActiveElevations(caller: UserCaller, query: ListActiveElevationsQuery): Promise<ActiveElevationsResponse> {
    const active = await this.work.read(caller, async (reader) => {
      const rows = await this.elevationRequests.active(reader, caller.scope, query);
      const mayRead = await this.inputReaders.of(reader, caller, rows);
      return rows.map((row) => rowView(row, mayRead(row)));
    });
    return { success: true, active };
  }

  async list(caller: UserCaller, query: ListElevationRequestsQuery): Promise<ElevationRequestsResponse> {
    const { page, limit, earlierThan, shared, outcome } = query;
    requireInOrder(query, 'from', 'to');
    if ((earlierThan === undefined) !== (shared === undefined)) throw invalid('shared', 'goes with earlierThan');
    if (outcome !== undefined && earlierThan === undefined) throw invalid('outcome', 'needs earlierThan');
    if (query.flag !== undefined && !isOpenOnly(query))
      throw invalid('flag', 'needs status to name open statuses only');
    if (!isSortable(query)) throw invalid('sort', 'needs status to name open statuses only');
    const { requests, total, truncated } = await this.work.read(caller, async (reader) => {
      const { rows, ...found } = await this.elevationRequests.list(reader, caller.scope, query);
      const mayRead = await this.inputReaders.of(reader, caller, rows);
      return { ...found, requests: rows.map((row) => rowView(row, mayRead(row))) };
    });
    return { success: true, requests, pagination: { page, limit, total }, truncated };
  }

  get(caller: UserCaller, id: string): Promise<ElevationRequestDetailRecord> {
    const { scope } = caller;
    return this.work.read(caller, async (reader) => {
      const row = requireReach(scope, await this.elevationRequests.find(reader, scope, id));
      const commands = await this.requestHistory.commands(reader, scope, id);
      const earlier = await this.requestHistory.earlier(reader, scope, id);
      const mayRead = await this.inputReaders.of(reader, caller, [row]);
      return detailView(caller, row, { commands, earlier, showsInput: mayRead(row) });
    });
  }
}
