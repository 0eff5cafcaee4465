import {
  changeDetails,
  changesOf,
  isUnchanged,
  invalid,
  type Page,
  partOf,
  ProblemError,
  requireUpdates,
  type UserCaller,
} from '@gatehouse/contracts-core';
import {
  type CreatePartnerDto,
  PartnerFormatsResponse,
  type PartnerQuery,
  type PartnerResponse,
  type PartnerSettingsDto,
  type UpdateOwnPartnerDto,
  type UpdatePartnerDto,
} from '@gatehouse/contracts-tenancy';
import { type Tx, UnitOfWork } from '@gatehouse/database';
import { faultyBusinessDay, mergeSettings } from '@gatehouse/tenancy-domain';
import { Injectable } from '@nestjs/common';
import { publishPartner } from '../scope/publish-state.ts';
import { type PartnerEntity, PartnersRepository } from './partners.repository.ts';

/** The fields of a partner that carry authority. */
const PARTNER_FIELDS = ['name', 'type', 'plan', 'status', 'maxOrganizations', 'maxDevices', 'settings'];

const partnerView = ({ version: _, ...partner }: PartnerEntity): PartnerResponse => partner;

/**
 * Returns the settings as plain data.
 * @throws ProblemError validation_failed that names the invalid weekday
 */
function checkedSettings(settings: PartnerSettingsDto | undefined): Record<string, unknown> | undefined {
  const custom = settings?.businessHours?.custom;
  const fault = custom ? faultyBusinessDay(custom) : null;
  if (fault !== null)
    throw invalid(
      `settings.businessHours.custom.${fault}`,
      'must be a weekday with start and end as HH:MM, and closed true or false',
    );
  return settings && { ...settings };
}

interface PartnerChange {
  readonly id: string;
  readonly patch: UpdatePartnerDto;
  readonly action: 'partner.update' | 'partner.settings.update';
}

/** Checks the patch at once and returns the step that stores it: named settings change, the others stay. */
function changePartner(
  partnersRepository: PartnersRepository,
  { id, patch, action }: PartnerChange,
): (tx: Tx, caller: UserCaller) => Promise<PartnerResponse> {
  const updates = requireUpdates({ ...patch, settings: checkedSettings(patch.settings) });
  return async (tx, caller) => {
    const current = await partnersRepository.lock(tx, caller, id);
    const { settings, ...columns } = updates;
    const row = settings ? { ...columns, settings: mergeSettings(current.settings, settings) } : columns;
    if (isUnchanged(current, row)) return partnerView(current);
    const partner = await partnersRepository.update(tx, caller, id, row);
    tx.audit({
      action,
      partnerId: id,
      resource: { type: 'partner', id, name: partner.name },
      details: changeDetails(current, partner, row),
    });
    publishPartner(tx, partner);
    return partnerView(partner);
  };
}

/** Every status but `active` locks the partner's users out. */
function requireSecondFactor({ mfa }: UserCaller, { status }: UpdatePartnerDto): void {
  if (status !== undefined && status !== 'active' && !mfa)
    throw new ProblemError('mfa_required', 'Confirm your second factor to suspend a partner.');
}

@Injectable()
export class PartnersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  list(caller: UserCaller, query: PartnerQuery): Promise<Page<PartnerResponse>> {
    return this.work.read(caller, (reader) => this.partnersRepository.list(reader, caller, query));
  }

  /** @throws ProblemError partner_not_found, also for a soft-deleted partner */
  async get(caller: UserCaller, id: string): Promise<PartnerResponse> {
    return partnerView(await this.work.read(caller, (reader) => this.partnersRepository.get(reader, caller, id)));
  }

  /** TEN-116: a member that the settings do not have is null. */
  async formats(caller: UserCaller): Promise<PartnerFormatsResponse> {
    const { settings } = await this.get(caller, ownPartnerOf(caller));
    return partOf(PartnerFormatsResponse, { dateFormat: null, timeFormat: null, ...settings });
  }

  /** Creates a partner, which is active unless the request says otherwise. */
  create(caller: UserCaller, draft: CreatePartnerDto): Promise<PartnerResponse> {
    const settings = checkedSettings(draft.settings);
    return this.work.once(caller, caller.idempotency, async (tx) => {
      const partner = await this.partnersRepository.insert(tx, {
        ...draft,
        status: draft.status ?? 'active',
        settings: settings && mergeSettings({}, settings),
      });
      tx.audit({
        action: 'partner.create',
        partnerId: partner.id,
        resource: { type: 'partner', id: partner.id, name: partner.name },
        details: {
          type: partner.type,
          plan: partner.plan,
          status: partner.status,
          changes: changesOf(null, partner, PARTNER_FIELDS),
        },
      });
      publishPartner(tx, partner);
      return partnerView(partner);
    });
  }

  update(caller: UserCaller, id: string, patch: UpdatePartnerDto): Promise<PartnerResponse> {
    requireSecondFactor(caller, patch);
    const change = changePartner(this.partnersRepository, { id, patch, action: 'partner.update' });
    return this.work.once(caller, caller.idempotency, (tx) => change(tx, caller));
  }

  /** Soft delete: marks only the partner, not the rows below it. */
  async delete(caller: UserCaller, id: string): Promise<void> {
    await this.work.run(caller, async (tx) => {
      const partner = await this.partnersRepository.softDelete(tx, caller, id);
      const details = { changes: changesOf(partner, null, PARTNER_FIELDS) };
      tx.audit({
        action: 'partner.delete',
        partnerId: id,
        resource: { type: 'partner', id, name: partner.name },
        details,
      });
      publishPartner(tx, partner);
    });
  }
}

/** @throws ProblemError partner_context_required for a session that belongs to no partner */
export function ownPartnerOf(caller: UserCaller): string {
  if (caller.partnerId === null) throw new ProblemError('partner_context_required', 'This requires a partner session.');
  return caller.partnerId;
}

/** Updates the caller's own partner, where fewer fields are allowed than for an administrator. */
@Injectable()
export class UpdateOwnPartner {
  constructor(
    private readonly work: UnitOfWork,
    private readonly partnersRepository: PartnersRepository,
  ) {}

  /** The caller must reach every organisation of the partner, because the record concerns all of them. */
  update(caller: UserCaller, patch: UpdateOwnPartnerDto): Promise<PartnerResponse> {
    const id = ownPartnerOf(caller);
    if (caller.scope.orgs !== 'all')
      throw new ProblemError(
        'org_access_denied',
        'Your access is limited to selected organisations; editing the partner requires access to all.',
      );
    const change = changePartner(this.partnersRepository, { id, patch, action: 'partner.settings.update' });
    return this.work.once(caller, caller.idempotency, (tx) => change(tx, caller));
  }
}
