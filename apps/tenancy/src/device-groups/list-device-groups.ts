import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { DeviceGroupResponse, DeviceGroupQuery } from '@gatehouse/contracts-tenancy';
import { scoped, UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { listPage } from '../rows/list-page.sql.ts';
import { listedBelow } from '../scope/organizations-in-reach.repository.ts';
import { deviceGroupView, findGroup, groupColumns } from './device-group.view.ts';

@Injectable()
export class ListDeviceGroups {
  constructor(private readonly work: UnitOfWork) {}

  execute(caller: UserCaller, query: DeviceGroupQuery): Promise<Page<DeviceGroupResponse>> {
    const conditions = scoped(caller.scope, { partner: 'g.partner_id', org: 'g.org_id' })
      .add('g.org_id = ?', query.orgId)
      .raw(listedBelow(caller, 'g.org_id'));
    const { sites } = caller.scope;
    // The sites are bound inside a condition that is always true, because the count and the rows share their
    // parameters.
    const columns = groupColumns(sites === 'all' ? null : `$${conditions.parameters.length + 1}`);
    if (sites !== 'all') conditions.add('?::uuid[] IS NOT NULL', [...sites]);
    return this.work.read(caller, (reader) =>
      listPage<DeviceGroupResponse>(reader, query, {
        columns,
        from: 'device_groups g',
        conditions,
        order: ['g.name', 'g.id'],
      }),
    );
  }

  /** @throws ProblemError device_group_not_found */
  one(caller: UserCaller, id: string): Promise<DeviceGroupResponse> {
    return this.work.read(caller, async (reader) => deviceGroupView(await findGroup(reader, caller, id)));
  }
}
