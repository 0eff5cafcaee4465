import { Module } from '@nestjs/common';
import { InputReaders } from './input-readers.repository.ts';
import { RequestTransitionsRepository } from './request-transitions.repository.ts';

@Module({
  providers: [RequestTransitionsRepository, InputReaders],
  exports: [RequestTransitionsRepository, InputReaders],
})
export class RequestStatesModule {}
