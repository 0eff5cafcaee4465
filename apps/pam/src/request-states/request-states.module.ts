import { Module } from '@nestjs/common';
import { RequestTransitionsRepository } from './request-transitions.repository.ts';

@Module({ providers: [RequestTransitionsRepository], exports: [RequestTransitionsRepository] })
export class RequestStatesModule {}
