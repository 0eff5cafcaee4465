import { Module } from '@nestjs/common';
import { CreateEnrollmentKey } from './create-enrollment-key.ts';
import { DeleteEnrollmentKey } from './delete-enrollment-key.ts';
import { EnrollmentKeysController } from './enrollment-keys.controller.ts';
import { EnrollmentKeysRepository } from './enrollment-keys.repository.ts';
import { GetEnrollmentKey } from './get-enrollment-key.ts';
import { ListEnrollmentKeys } from './list-enrollment-keys.ts';
import { RotateEnrollmentKey } from './rotate-enrollment-key.ts';

@Module({
  controllers: [EnrollmentKeysController],
  providers: [
    EnrollmentKeysRepository,
    ListEnrollmentKeys,
    GetEnrollmentKey,
    CreateEnrollmentKey,
    RotateEnrollmentKey,
    DeleteEnrollmentKey,
  ],
  exports: [EnrollmentKeysRepository],
})
export class EnrollmentKeysModule {}
