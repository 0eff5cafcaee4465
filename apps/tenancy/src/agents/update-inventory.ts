import { ProblemError } from '@gatehouse/contracts-core';
import type { AgentInventoryDto, AgentInventoryResponse } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { publishDevice } from '../rows/publish-state.ts';
import { returned } from '../rows/assignments.ts';
import { requireNotFrozen } from '../scope/organizations-in-reach.repository.ts';
import { requireOwnDevice, type TenancyAgent } from './agent-caller.ts';
import { AgentsRepository, type Inventory } from './agents.repository.ts';

/** Stores what an agent reports about its machine (TEN-62). */
@Injectable()
export class UpdateInventory {
  constructor(
    private readonly work: UnitOfWork,
    private readonly agentsRepository: AgentsRepository,
  ) {}

  /**
   * A member that is left out keeps its value. An inventory that changes nothing leaves no trace.
   * @throws ProblemError device_mismatch, token_invalid, organization_frozen
   */
  execute(caller: TenancyAgent, id: string, reported: AgentInventoryDto): Promise<AgentInventoryResponse> {
    requireOwnDevice(caller, id);
    return this.work.run(caller, async (tx) => {
      const tenant = await this.agentsRepository.lockTenant(tx, caller.orgId);
      if (tenant) requireNotFrozen(tenant);
      const known = await this.agentsRepository.lockInventory(tx, id);
      if (!tenant || !known) throw new ProblemError('token_invalid', 'The agent token is not valid.');
      const changes = changesOf(known, reported);
      const changedFields = Object.keys(changes);
      if (changedFields.length === 0) return { deviceId: id, ...known };
      const device = returned(await this.agentsRepository.updateInventory(tx, id, changes));
      const { partnerId, orgId, siteId, hostname } = device;
      tx.audit({
        action: 'device.inventory.update',
        partnerId,
        orgId,
        siteId,
        resource: { type: 'device', id, name: hostname },
        details: { changedFields },
      });
      publishDevice(tx, device);
      return { deviceId: id, ...known, ...changes };
    });
  }
}

function changesOf(known: Inventory, { agentVersion, osVersion, ...reported }: AgentInventoryDto): Partial<Inventory> {
  const serialNumber = reported.serialNumber?.trim() ?? reported.serialNumber;
  const named = Object.entries({ agentVersion, osVersion, serialNumber }).filter(
    ([member, value]) => value !== undefined && value !== known[member as keyof Inventory],
  );
  return Object.fromEntries(named);
}
