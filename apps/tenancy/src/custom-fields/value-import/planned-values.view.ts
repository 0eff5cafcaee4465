import type { ValueRowRecord } from '@gatehouse/contracts-tenancy';
import type { PlannedValues } from './value-planner.ts';

export const plannedValuesView = ({ outcome, device, values }: PlannedValues, index: number): ValueRowRecord => ({
  index,
  outcome,
  deviceId: device?.id ?? null,
  fieldIds: values.map(({ fieldId }) => fieldId),
});
