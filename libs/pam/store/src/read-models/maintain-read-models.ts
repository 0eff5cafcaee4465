import type { EventEnvelope } from '@gatehouse/contracts-core';
import { TechnicianChanged, type TechnicianState } from '@gatehouse/contracts-identity';
import { type PushReach, PushReachChanged } from '@gatehouse/contracts-pam';
import {
  DeviceChanged,
  DeviceGroupChanged,
  type DeviceGroupState,
  type DeviceState,
  OrganizationChanged,
  type OrganizationState,
  PartnerChanged,
  type PartnerState,
  SiteChanged,
  type SiteState,
} from '@gatehouse/contracts-tenancy';
import type { Tx } from '@gatehouse/database';
import { Consumes } from '@gatehouse/messaging';
import { Injectable, Module } from '@nestjs/common';
import { followDevice, ReadModelsRepository } from './read-models.repository.ts';

/**
 * Maintains the `*_ref` read models of partners, organisations, sites, devices, technicians and their push
 * subscriptions.
 */
@Injectable()
export class MaintainReadModels {
  constructor(private readonly readModels: ReadModelsRepository) {}

  @Consumes(PartnerChanged)
  async partner(tx: Tx, { data }: EventEnvelope<PartnerState>): Promise<void> {
    await this.readModels.savePartner(tx, data);
  }

  @Consumes(OrganizationChanged)
  async organization(tx: Tx, { data }: EventEnvelope<OrganizationState>): Promise<void> {
    await this.readModels.saveOrganization(tx, data);
    if (data.deleted) await this.readModels.removeFromReach(tx, data.orgId);
  }

  @Consumes(SiteChanged)
  async site(tx: Tx, { data }: EventEnvelope<SiteState>): Promise<void> {
    if (!(await this.readModels.isGone(tx, data.orgId))) await this.readModels.saveSite(tx, data);
  }

  @Consumes(DeviceGroupChanged)
  async group(tx: Tx, { data }: EventEnvelope<DeviceGroupState>): Promise<void> {
    if (!(await this.readModels.isGone(tx, data.orgId))) await this.readModels.saveGroup(tx, data);
  }

  @Consumes(DeviceChanged)
  async device(tx: Tx, { data, actor }: EventEnvelope<DeviceState>): Promise<void> {
    if (await this.readModels.isGone(tx, data.orgId)) return;
    await this.readModels.saveDevice(tx, data, actor.type === 'user' ? actor.id : null);
    await followDevice(tx, data.deviceId);
  }

  @Consumes(PushReachChanged)
  async pushReach(tx: Tx, { data }: EventEnvelope<PushReach>): Promise<void> {
    await this.readModels.savePushReach(tx, data);
  }

  @Consumes(TechnicianChanged)
  async technician(tx: Tx, { data }: EventEnvelope<TechnicianState>): Promise<void> {
    if (await this.readModels.saveTechnician(tx, data)) await this.readModels.replaceReach(tx, data);
  }
}

/** Loaded by `pam` only: one consumer maintains the read models that both services read. */
@Module({ providers: [MaintainReadModels, ReadModelsRepository] })
export class PamReadModelsModule {}
