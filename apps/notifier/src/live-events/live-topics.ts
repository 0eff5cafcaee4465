import type { EventEnvelope, Permission } from '@gatehouse/contracts-core';
import type { FreezeFact, RequestOutcome, RulebookChange, RuleOptOutFact } from '@gatehouse/contracts-pam';
import type { DeviceState, MergeProgress, OrganizationState } from '@gatehouse/contracts-tenancy';

export const LIVE_TOPICS = ['elevations', 'approvals', 'devices', 'rules', 'merges', 'providers', 'outcomes'] as const;
export type LiveTopic = (typeof LIVE_TOPICS)[number];

/** The topics of a stream that names none. */
export const DEFAULT_TOPICS: readonly LiveTopic[] = ['elevations', 'approvals'];

/** The members of every live event that determine who may receive it. */
export interface Placed {
  readonly partnerId: string;
  /** Null for what belongs to the partner itself. */
  readonly orgId: string | null;
  /** Set if the event concerns a site: null for one without a site. */
  readonly siteId?: string | null;
  /** Set on freezes: one of level `partner` concerns every organisation. */
  readonly level?: string;
  /** Set if the event concerns only this user. */
  readonly userId?: string;
}

interface Topic {
  /** Null for what concerns only the person to whom each event is addressed. */
  readonly permission: Permission | null;
  readonly subjects: readonly string[];
  /** What a client gets of the event; by default all of it. */
  readonly shown?: (data: never) => Placed;
}

/** Consumers of the product need more of a device than a client may see, such as the hash of its token. */
const shownDevice = ({ deviceId, partnerId, orgId, siteId, groupIds, hostname, status, deleted }: DeviceState) => ({
  deviceId,
  partnerId,
  orgId,
  siteId,
  groupIds,
  hostname,
  status,
  deleted,
});

function shownMerges(data: OrganizationState | MergeProgress): Placed {
  if ('jobId' in data) return data;
  const { orgId, partnerId, name, status, deleted, mergedIntoId } = data;
  const shown = { orgId, partnerId, name, status, deleted, mergedIntoId };
  return shown;
}

const withoutActor = ({ actorId: _, ...shown }: RuleOptOutFact): Placed => shown;

/** Every user of an organisation hears of a freeze of all of it, whichever sites they reach. */
function shownRules(data: RulebookChange | FreezeFact | RuleOptOutFact): Placed {
  // Organisations do not get to know who writes the rules of their partner.
  if ('ruleId' in data) return withoutActor(data);
  if (!('freezeId' in data)) return data as Placed;
  const { siteId, ...freeze } = data;
  return siteId === null ? freeze : data;
}

/** Whether a mail is sent too is no concern of clients. */
const shownOutcome = ({ byMail: _, ...outcome }: RequestOutcome): Placed => outcome;

export const TOPICS: Readonly<Record<LiveTopic, Topic>> = {
  elevations: { permission: 'devices:read', subjects: ['pam.elevation.>'] },
  approvals: {
    permission: 'devices:read',
    subjects: ['approval.push.requested.v1', 'approval.request.settled.v1'],
  },
  devices: { permission: 'devices:read', subjects: ['tenancy.device.changed.v1'], shown: shownDevice },
  rules: {
    permission: 'devices:read',
    subjects: ['pam.rulebook.changed.v1', 'pam.freeze.started.v1', 'pam.freeze.lifted.v1', 'pam.rule.opt_out_ended.v1'],
    shown: shownRules,
  },
  merges: {
    permission: 'organizations:read',
    subjects: ['tenancy.organization.changed.v1', 'tenancy.merge.progressed.v1'],
    shown: shownMerges,
  },
  providers: { permission: 'organizations:read', subjects: ['identity.sso_provider.changed.v1'] },
  outcomes: { permission: null, subjects: ['approval.outcome.told.v1'], shown: shownOutcome },
};

/** The event of a topic as clients get it. */
export function shownOf(topic: LiveTopic, event: EventEnvelope): EventEnvelope<Placed> {
  const { shown } = TOPICS[topic];
  return { ...event, data: shown ? shown(event.data as never) : (event.data as Placed) };
}
