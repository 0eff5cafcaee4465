import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice } from '../rows/publish-state.ts';
import type { TenancyAgent } from './agent-caller.ts';
import { AgentsRepository } from './agents.repository.ts';

/** Keeps the protocol that an agent states, so that an agent that was updated needs no new enrolment. */
@Injectable()
export class RecordAgentProtocol {
  constructor(
    private readonly work: UnitOfWork,
    private readonly agentsRepository: AgentsRepository,
  ) {}

  /** @param stated null if the request states none, which changes nothing */
  async execute(caller: TenancyAgent, stated: number | null): Promise<void> {
    if (stated === null || stated === caller.agentProtocol) return;
    await this.work.run(caller, async (tx) => {
      const device = await this.agentsRepository.stateProtocol(tx, caller.deviceId, stated);
      if (device) publishDevice(tx, device);
    });
  }
}
