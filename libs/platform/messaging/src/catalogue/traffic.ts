/**
 * The messages that one service publishes, receives and requests at the broker. Its broker user has these permissions
 * and no others.
 */
export interface Traffic {
  /** Services that share a database also publish each other's rows of the shared outbox. */
  readonly database: string | null;
  /** Subjects of the events that the service publishes, apart from its audit entries on `audit.<service>`. */
  readonly states: readonly string[];
  /** Subjects that it consumes from a stream, each event exactly once. */
  readonly consumes: readonly string[];
  /** Subjects that every connected instance of it receives. */
  readonly listens: readonly string[];
  readonly asks: readonly string[];
  readonly answers: readonly string[];
  /** Subjects that it publishes and whose newest event it reads back from the stream. */
  readonly readsBack?: readonly string[];
}

/** The services that hold rows of organisations, and take part in merges and purges. */
export const TENANT_DATA_HOLDERS = ['identity', 'tenancy', 'pam', 'notifier'] as const;
/** Request subject on which tenancy replies whether a step of a merge or purge is due. */
export const STEP_QUESTION = 'ask.tenant_data.due';
/** Request subject on which one service counts the rows a merge would affect; no other service may reply. */
export const countQuestion = (service: string): string => `ask.tenant_data.count.${service}`;
/** Subject on which one service reports progress of its own steps; no other service may publish there. */
export const progressSubject = <S extends Lowercase<string>>(service: S): `tenancy.tenant_data_of_${S}.progressed.v1` =>
  `tenancy.tenant_data_of_${service}.progressed.v1`;

const STEP_REQUESTED = 'tenancy.tenant_data.requested.v1';
const ELEVATION_FACTS = [
  'requested',
  'auto_approved',
  'vote_given',
  'taken',
  'approved',
  'denied',
  'actuating',
  'actuated',
  'expired',
  'revoked',
  'escalated',
].map((fact) => `pam.elevation.${fact}.v1`);
const PAM_FACTS = [
  ...ELEVATION_FACTS,
  'pam.rulebook.changed.v1',
  'pam.approval_levels.changed.v1',
  'pam.freeze.started.v1',
  'pam.freeze.lifted.v1',
  'pam.ruleset.applied.v1',
  'pam.rule.expiry_noticed.v1',
  'pam.rule.expired.v1',
  'pam.rule.opted_out.v1',
  'pam.rule.opt_out_ended.v1',
  'approval.push.requested.v1',
  'approval.request.settled.v1',
  'approval.mail.requested.v1',
  'approval.outcome.told.v1',
];

/** One subject for each chain of the audit log, so that the newest checkpoint of a chain can be read back. */
const CHECKPOINTS = 'checkpoint.*.signed.v1';

/**
 * The catalogue that defines the broker's users and consumers. A service whose traffic is not listed here does not
 * start.
 */
export const TRAFFIC: Readonly<Record<string, Traffic>> = {
  gateway: {
    database: null,
    states: [],
    consumes: [],
    asks: [],
    answers: [],
    listens: ['identity.principal.changed.v1', 'identity.signing_key.dropped.v1'],
  },
  identity: {
    database: 'identity',
    states: [
      'identity.principal.changed.v1',
      'identity.signing_key.dropped.v1',
      'identity.technician.changed.v1',
      'identity.sso_provider.changed.v1',
      'identity.sso_provider.expiry_noticed.v1',
      'identity.sso_provider.metadata_changed.v1',
      'identity.sso_sign_in.refused.v1',
      'identity.sso_enforcement.changed.v1',
      'identity.setup_link.completed.v1',
      progressSubject('identity'),
    ],
    consumes: [
      'tenancy.partner.changed.v1',
      'tenancy.organization.changed.v1',
      'tenancy.site.changed.v1',
      'tenancy.device.reenrolled.v1',
      'pam.freeze.started.v1',
      'approval.mail.requested.v1',
      'approval.outcome.told.v1',
      STEP_REQUESTED,
    ],
    listens: ['identity.signing_key.dropped.v1'],
    asks: [STEP_QUESTION],
    answers: [
      countQuestion('identity'),
      'ask.identity.organization_figures',
      'ask.identity.principal',
      'ask.identity.offline_rules',
    ],
  },
  tenancy: {
    database: 'tenancy',
    states: [
      'tenancy.partner.changed.v1',
      'tenancy.organization.changed.v1',
      'tenancy.site.changed.v1',
      'tenancy.device_group.changed.v1',
      'tenancy.device.changed.v1',
      'tenancy.device.uninstall_requested.v1',
      'tenancy.device.reenrolled.v1',
      'tenancy.merge.progressed.v1',
      STEP_REQUESTED,
      progressSubject('tenancy'),
    ],
    consumes: [STEP_REQUESTED, 'pam.approval_levels.changed.v1', ...TENANT_DATA_HOLDERS.map(progressSubject)],
    listens: [],
    asks: [
      STEP_QUESTION,
      ...TENANT_DATA_HOLDERS.filter((service) => service !== 'tenancy').map(countQuestion),
      'ask.identity.organization_figures',
      'ask.pam.organization_figures',
    ],
    answers: [STEP_QUESTION, 'ask.tenancy.agents_seen'],
  },
  pam: {
    database: 'pam',
    states: [...PAM_FACTS, progressSubject('pam')],
    consumes: [
      'tenancy.partner.changed.v1',
      'tenancy.organization.changed.v1',
      'tenancy.site.changed.v1',
      'tenancy.device_group.changed.v1',
      'tenancy.device.changed.v1',
      'tenancy.device.uninstall_requested.v1',
      STEP_REQUESTED,
      'identity.technician.changed.v1',
      'identity.sso_provider.changed.v1',
      'approval.reach.changed.v1',
      'pam.elevation.requested.v1',
    ],
    listens: ['pam.rulebook.changed.v1'],
    asks: [STEP_QUESTION],
    answers: [countQuestion('pam'), 'ask.pam.organization_figures'],
  },
  'pam-ingest': {
    database: 'pam',
    states: PAM_FACTS,
    consumes: [],
    answers: [],
    listens: [
      'tenancy.device.changed.v1',
      'tenancy.organization.changed.v1',
      'pam.rulebook.changed.v1',
      'identity.signing_key.dropped.v1',
    ],
    asks: ['ask.tenancy.agents_seen', 'ask.identity.offline_rules'],
  },
  audit: {
    database: 'audit',
    states: [CHECKPOINTS],
    readsBack: [CHECKPOINTS],
    listens: [],
    asks: ['ask.identity.principal'],
    answers: [],
    consumes: ['audit.>', 'tenancy.organization.changed.v1', STEP_REQUESTED],
  },
  notifier: {
    database: 'notifier',
    states: ['approval.reach.changed.v1', progressSubject('notifier')],
    consumes: [
      'approval.push.requested.v1',
      'approval.outcome.told.v1',
      'identity.sso_provider.changed.v1',
      'identity.technician.changed.v1',
      STEP_REQUESTED,
    ],
    listens: [
      'pam.elevation.>',
      'approval.push.requested.v1',
      'approval.request.settled.v1',
      'approval.outcome.told.v1',
      'pam.rulebook.changed.v1',
      'pam.freeze.started.v1',
      'pam.freeze.lifted.v1',
      'pam.rule.opt_out_ended.v1',
      'tenancy.device.changed.v1',
      'tenancy.organization.changed.v1',
      'tenancy.merge.progressed.v1',
      'identity.sso_provider.changed.v1',
      'identity.principal.changed.v1',
    ],
    asks: [STEP_QUESTION],
    answers: [countQuestion('notifier')],
  },
};

const AUDIT = 'audit.';
export const auditSubject = (service: string): string => `${AUDIT}${service}`;

/** Every subject, or subject pattern, that may be in the outbox of a service. */
export function publishedBy(service: string): string[] {
  const { database } = TRAFFIC[service] ?? {};
  if (!database) return [];
  const sharing = Object.entries(TRAFFIC).filter(([, other]) => other.database === database);
  return [...new Set(sharing.flatMap(([name, { states }]) => [...states, auditSubject(name)]))];
}

/** Whether a subject matches a pattern: `>` at the end matches all remaining tokens, `*` matches one. */
export function matchesSubject(pattern: string, subject: string): boolean {
  if (pattern.endsWith('>')) return subject.startsWith(pattern.slice(0, -1));
  if (!pattern.includes('*')) return pattern === subject;
  const tokens = subject.split('.');
  const wanted = pattern.split('.');
  return wanted.length === tokens.length && wanted.every((token, at) => token === '*' || token === tokens[at]);
}

/**
 * Whether a source may publish an event on a subject: the catalogue lists it there, or it is the source's own audit
 * entry.
 */
export function mayState(source: string, subject: string): boolean {
  const traffic = TRAFFIC[source];
  if (!traffic) return false;
  return subject.startsWith(AUDIT)
    ? subject === auditSubject(source)
    : traffic.states.some((pattern) => matchesSubject(pattern, subject));
}

/**
 * @throws Error when the catalogue does not list one of the subjects; a name that is not one of the product's services
 * is not checked
 */
export function requireListed(
  service: string,
  kind: Exclude<keyof Traffic, 'database'>,
  subjects: readonly string[],
): void {
  const traffic = TRAFFIC[service];
  const listed = traffic && (traffic[kind] ?? []);
  const missing = listed && subjects.find((subject) => !listed.some((pattern) => matchesSubject(pattern, subject)));
  if (missing !== undefined)
    throw new Error(`${service} ${kind} ${missing}, which its entry in the catalogue of traffic does not list`);
}
