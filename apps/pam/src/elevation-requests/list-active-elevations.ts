import type { UserCaller } from '@gatehouse/contracts-core';
import type { ActiveElevationsResponse, ListActiveElevationsQuery } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { rowView } from './elevation-request.view.ts';
import { InputReaders } from '../request-states/input-readers.repository.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';

@Injectable()
export class ListActiveElevations {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
    private readonly inputReaders: InputReaders,
  ) {}

  async execute(caller: UserCaller, query: ListActiveElevationsQuery): Promise<ActiveElevationsResponse> {
    const active = await this.work.read(caller, async (reader) => {
      const rows = await this.elevationRequests.active(reader, caller.scope, query);
      const mayRead = await this.inputReaders.of(reader, caller, rows);
      return rows.map((row) => rowView(row, mayRead(row)));
    });
    return { success: true, active };
  }
}
