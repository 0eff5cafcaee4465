import type { UserCaller } from '@gatehouse/contracts-core';
import type { ElevationRequestDetailRecord } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { detailView } from './elevation-request-detail.view.ts';
import { ElevationRequestsRepository } from './elevation-requests.repository.ts';
import { RequestHistoryRepository } from './request-history.repository.ts';
import { InputReaders } from '../request-states/input-readers.repository.ts';
import { requireReach } from '../request-states/request-problems.ts';

@Injectable()
export class GetElevationRequest {
  constructor(
    private readonly work: UnitOfWork,
    private readonly elevationRequests: ElevationRequestsRepository,
    private readonly requestHistory: RequestHistoryRepository,
    private readonly inputReaders: InputReaders,
  ) {}

  /** @throws ProblemError elevation_request_not_found, site_access_denied */
  execute(caller: UserCaller, id: string): Promise<ElevationRequestDetailRecord> {
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
