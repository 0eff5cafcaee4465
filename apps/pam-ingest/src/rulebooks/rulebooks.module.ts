import { RulebookRepository } from '@gatehouse/pam-store';
import { Module } from '@nestjs/common';
import { ReadRulebook } from './read-rulebook.ts';

@Module({ providers: [RulebookRepository, ReadRulebook], exports: [RulebookRepository, ReadRulebook] })
export class RulebooksModule {}
