import { STREAMS, streamOf } from '../catalogue/streams.ts';
import { publishedBy, TRAFFIC } from '../catalogue/traffic.ts';

/** The broker's administrator, which creates streams and consumers. No service uses this user. */
export const BROKER_ADMIN = 'gatehouse';

/** The permissions of one service at the broker. */
export interface BrokerUser {
  readonly user: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it may reply to requests on their reply subject. */
  readonly answers: boolean;
}

/** The inbox for replies to one service; no other service may listen there. */
export const inboxOf = (service: string): string => `_INBOX.${service}`;

const streamNames = (subjects: readonly string[]): string[] => [
  ...new Set(subjects.map((subject) => streamOf(subject).name)),
];

/**
 * The streams lie in an account of their own, and the account of the services imports only this part of the broker's
 * interface. The broker does not check permissions on reply subjects and sends some replies without content, which its
 * interface reads as a command; with one account, a service could name `STREAM.DELETE` as the subject of its reply.
 */
const INTERFACE = ['STREAM.INFO.*', 'STREAM.MSG.GET.*', 'CONSUMER.INFO.*.*', 'CONSUMER.MSG.NEXT.*.*'] as const;
/** The broker offers `$JS.API` to every account itself, so the imported part needs another prefix. */
const PREFIX = 'STREAMS.API';

/** A service may inspect its own consumer, fetch from it and acknowledge, but not create, change or delete one. */
const consuming = (service: string, stream: string): string[] => [
  `${PREFIX}.CONSUMER.INFO.${stream}.${service}`,
  `${PREFIX}.CONSUMER.MSG.NEXT.${stream}.${service}`,
  `$JS.ACK.${stream}.${service}.>`,
];

/**
 * The broker wraps the message in JSON. Unlike the result of `DIRECT.GET`, it is not a valid event if a forged reply
 * subject redirects it.
 */
const readingBack = (stream: string): string => `${PREFIX}.STREAM.MSG.GET.${stream}`;

function userOf(service: string): BrokerUser {
  const { consumes = [], listens = [], asks = [], answers = [], readsBack = [] } = TRAFFIC[service] ?? {};
  const own = publishedBy(service);
  return {
    user: service,
    publish: [
      ...own,
      ...asks,
      ...streamNames(own).map((stream) => `${PREFIX}.STREAM.INFO.${stream}`),
      ...streamNames(readsBack).map(readingBack),
      ...streamNames(consumes).flatMap((stream) => consuming(service, stream)),
    ],
    subscribe: [`${inboxOf(service)}.>`, ...listens, ...answers],
    answers: answers.length > 0,
  };
}

export const brokerUsers = (): BrokerUser[] => Object.keys(TRAFFIC).map(userOf);

/** An empty allow list would allow everything. */
const only = (subjects: readonly string[]): string =>
  subjects.length === 0
    ? '{ deny: [">"] }'
    : `{ allow: [${subjects.map((subject) => `\n            "${subject}"`).join('')}\n          ] }`;

const rendered = ({ user, publish, subscribe, answers }: BrokerUser, password: string): string => `      {
        user: "${user}", password: ${password}
        permissions: {
          publish: ${only(publish)}
          subscribe: ${only(subscribe)}${answers ? '\n          allow_responses: { max: 1, expires: "1m" }' : ''}
        }
      }`;

/** Fetching is one request with many replies. */
const exported = (subject: string): string =>
  `      { service: "${subject}", accounts: [SERVICES]${subject.includes('MSG.NEXT') ? ', response_type: stream' : ''} }`;

const imported = (subject: string, to: string): string =>
  `      { service: { account: STREAMS, subject: "${subject}" }${to === subject ? '' : `, to: "${to}"`} }`;

/** Clients use the usual subjects: the broker renames them, and then checks the permissions. */
function mapped(call: string): string {
  let position = 0;
  const target = call.replaceAll('*', () => `{{wildcard(${++position})}}`);
  return `      "$JS.API.${call}": "${PREFIX}.${target}"`;
}

/**
 * Renders the `accounts { … }` section of the server's configuration.
 * @param passwordOf the password as written there: in quotes, or the name of a variable
 */
export function renderBrokerAccounts(passwordOf: (user: string) => string): string {
  const stored = [...STREAMS.flatMap(({ subjects }) => subjects), '$JS.ACK.>'];
  return `accounts {
  STREAMS {
    jetstream: enabled
    users: [ { user: "${BROKER_ADMIN}", password: ${passwordOf(BROKER_ADMIN)} } ]
    exports: [
${[...stored, ...INTERFACE.map((call) => `$JS.API.${call}`)].map(exported).join('\n')}
    ]
  }
  SERVICES {
    imports: [
${[
  ...stored.map((subject) => imported(subject, subject)),
  ...INTERFACE.map((call) => imported(`$JS.API.${call}`, `${PREFIX}.${call}`)),
].join('\n')}
    ]
    mappings: {
${INTERFACE.map(mapped).join('\n')}
    }
    users: [
${brokerUsers()
  .map((user) => rendered(user, passwordOf(user.user)))
  .join('\n')}
    ]
  }
}
`;
}
