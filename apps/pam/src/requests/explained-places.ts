import { ProblemError, seesSite, type UserCaller } from '@gatehouse/contracts-core';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { type Device, DevicesRepository } from '../tenants/devices.repository.ts';
import { OrganizationsRepository } from '../tenants/organizations.repository.ts';

/** The devices and organisations for which decisions are explained. */
@Injectable()
export class ExplainedPlaces {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devices: DevicesRepository,
    private readonly organizations: OrganizationsRepository,
  ) {}

  device(caller: UserCaller, id: string): Promise<Device> {
    return this.work.read(caller, async (reader) => {
      const device = await this.devices.find(reader, caller.scope, id);
      if (!device) throw new ProblemError('device_not_found', 'There is no such device.');
      if (!seesSite(caller.scope, device.siteId))
        throw new ProblemError('site_access_denied', 'You have no access to the site of this device.').at(device);
      return device;
    });
  }

  /** Whether the organisation is suspended, so that nothing is granted automatically. */
  isSuspended(caller: UserCaller, { orgId }: { readonly orgId: string }): Promise<boolean> {
    return this.work.read(caller, async (reader) => {
      const { status } = await this.organizations.resolve(reader, caller, orgId);
      return status === 'suspended';
    });
  }
}
