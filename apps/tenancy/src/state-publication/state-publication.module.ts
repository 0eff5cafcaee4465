import { Module } from '@nestjs/common';
import { PublishAllState } from './publish-all-state.ts';
import { StatePublicationController } from './state-publication.controller.ts';

@Module({ controllers: [StatePublicationController], providers: [PublishAllState] })
export class StatePublicationModule {}
