import { ProblemError, type UserCaller } from '@gatehouse/contracts-core';
import type { ToolActionStateResponse } from '@gatehouse/contracts-pam';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { ToolActionsRepository } from './tool-actions.repository.ts';

@Injectable()
export class GetToolAction {
  constructor(
    private readonly work: UnitOfWork,
    private readonly toolActions: ToolActionsRepository,
  ) {}

  /** @throws ProblemError tool_action_not_found */
  async execute(caller: UserCaller, id: string): Promise<ToolActionStateResponse> {
    const row = await this.work.read(caller, (reader) => this.toolActions.find(reader, caller.scope, id));
    if (!row) throw new ProblemError('tool_action_not_found', 'There is no such tool action.');
    return {
      success: true,
      ...row,
      timeoutAt: row.timeoutAt?.toISOString() ?? null,
      expiresAt: row.status === 'pending' ? null : (row.expiresAt?.toISOString() ?? null),
    };
  }
}
