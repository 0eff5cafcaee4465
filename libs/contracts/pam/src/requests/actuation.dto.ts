import { Choice, Flag, Uuid, Whole } from '@gatehouse/contracts-core';

/** PAM-04, PAM-47. */
export class ActuateElevationDto {
  @Uuid() elevationRequestId!: string;
  @Whole({
    min: 1000,
    max: 60_000,
    optional: true,
    description: 'How long the device waits for the consent prompt, in milliseconds.',
  })
  timeoutMs: number = 8000;
}

export class ActuateElevationResponse {
  @Flag() success!: true;
  /** The id of the device command. */
  @Uuid() id!: string;
  @Uuid() elevationRequestId!: string;
  @Choice(['queued']) status!: 'queued';
}
