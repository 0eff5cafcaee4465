import { Module } from '@nestjs/common';
import { Introspect } from './introspect.ts';
import { IntrospectionController } from './introspection.controller.ts';

@Module({ controllers: [IntrospectionController], providers: [Introspect] })
export class IntrospectionModule {}
