import type { UserCaller } from '@gatehouse/contracts-core';
import type { FieldValueRecord } from '@gatehouse/contracts-tenancy';
import { UnitOfWork } from '@gatehouse/database';
import { Injectable } from '@nestjs/common';
import { DevicesRepository } from '../../devices/devices.repository.ts';
import { fieldValueView } from './field-value.view.ts';
import { FieldValuesRepository } from './field-values.repository.ts';

@Injectable()
export class ListFieldValues {
  constructor(
    private readonly work: UnitOfWork,
    private readonly devicesRepository: DevicesRepository,
    private readonly fieldValuesRepository: FieldValuesRepository,
  ) {}

  /**
   * Returns every field that applies to the device, with its value or null.
   * @throws ProblemError device_not_found
   */
  execute(caller: UserCaller, deviceId: string): Promise<FieldValueRecord[]> {
    return this.work.read(caller, async (reader) => {
      await this.devicesRepository.requireReadable(reader, caller, deviceId);
      return (await this.fieldValuesRepository.ofDevice(reader, deviceId)).map(fieldValueView);
    });
  }
}
