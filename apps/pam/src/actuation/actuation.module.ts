import { Module } from '@nestjs/common';
import { RequestStoreModule } from '../elevation-requests/request-store.module.ts';
import { ActuateElevation } from './actuate-elevation.ts';
import { ActuationController } from './actuation.controller.ts';

@Module({ imports: [RequestStoreModule], controllers: [ActuationController], providers: [ActuateElevation] })
export class ActuationModule {}
