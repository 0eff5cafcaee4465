import { Module } from '@nestjs/common';
import { CreateEnrollmentKey } from './create-enrollment-key.ts';
import { EnrollmentKeysController } from './enrollment-keys.controller.ts';
import { ListEnrollmentKeys } from './list-enrollment-keys.ts';
import { RotateEnrollmentKey } from './rotate-enrollment-key.ts';

@Module({
  controllers: [EnrollmentKeysController],
  providers: [ListEnrollmentKeys, CreateEnrollmentKey, RotateEnrollmentKey],
})
export class EnrollmentKeysModule {}
