import { Module } from '@nestjs/common';
import { DevicePresenceRepository } from './device-presence.repository.ts';
import { NoteSeenAgents } from './note-seen-agents.ts';
import { SweepSilentDevices } from './sweep-silent-devices.ts';

@Module({ providers: [DevicePresenceRepository, NoteSeenAgents, SweepSilentDevices], exports: [NoteSeenAgents] })
export class PresenceModule {}
