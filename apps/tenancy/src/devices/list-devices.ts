import type { Page, UserCaller } from '@gatehouse/contracts-core';
import type { DeviceResponse, DeviceQuery } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { containing } from '../rows/assignments.ts';
import { listPage, searchPage } from '../rows/list-page.sql.ts';
import { listedBelow } from '../scope/organizations-in-reach.repository.ts';
import { SumDeviceCounts } from './counts/sum-device-counts.ts';
import { DEVICE_COLUMNS, deviceInReach, deviceNotFound, devicesInReach } from './device.view.ts';

@Injectable()
export class ListDevices {
  constructor(
    private readonly work: UnitOfWork,
    private readonly counts: SumDeviceCounts,
  ) {}

  execute(caller: UserCaller, query: DeviceQuery): Promise<Page<DeviceResponse>> {
    const conditions = devicesInReach(caller)
      .add('d.org_id = ?', query.orgId)
      .add('d.site_id = ?', query.siteId)
      .add('d.status = ?', query.status)
      .add('d.id IN (SELECT g.device_id FROM device_group_members g WHERE g.group_id = ?)', query.groupId)
      .add('d.search_text LIKE lower(?)', containing(query.search))
      .raw(listedBelow(caller, 'd.org_id'));
    const totalOf = this.counts.totalOf(caller, query);
    return this.work.read(caller, (reader) =>
      (query.search ? searchPage : listPage)<DeviceResponse>(reader, query, {
        columns: DEVICE_COLUMNS,
        from: 'devices d',
        conditions,
        order: ['d.hostname', 'd.id'],
        totalOf,
      }),
    );
  }

  /** @throws ProblemError device_not_found */
  async one(caller: UserCaller, id: string): Promise<DeviceResponse> {
    const { where, parameters } = deviceInReach(caller, id);
    const device = await this.work.read(caller, (reader) =>
      reader.one<DeviceResponse>(`SELECT ${DEVICE_COLUMNS} FROM devices d ${where}`, parameters),
    );
    if (!device) throw deviceNotFound();
    return device;
  }
}
