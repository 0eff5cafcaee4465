import { Module } from '@nestjs/common';
import { FactorsRepository } from './factors.repository.ts';
import { SecondFactors } from './second-factors.ts';

@Module({ providers: [FactorsRepository, SecondFactors], exports: [FactorsRepository, SecondFactors] })
export class FactorsModule {}
