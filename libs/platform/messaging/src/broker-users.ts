import { streamOf } from './streams.ts';
import { publishedBy, TRAFFIC } from './traffic.ts';

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

/** A service may inspect its own consumer, fetch from it and acknowledge, but not create, change or delete one. */
const consuming = (service: string, stream: string): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${service}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${service}`,
  `$JS.ACK.${stream}.${service}.>`,
];

/**
 * The broker wraps the message in JSON. Unlike the result of `DIRECT.GET`, it is not a valid event if a forged reply
 * subject redirects it.
 */
const readingBack = (stream: string): string => `$JS.API.STREAM.MSG.GET.${stream}`;

function userOf(service: string): BrokerUser {
  const { consumes = [], listens = [], asks = [], answers = [], readsBack = [] } = TRAFFIC[service] ?? {};
  const own = publishedBy(service);
  return {
    user: service,
    publish: [
      ...own,
      ...asks,
      ...streamNames(own).map((stream) => `$JS.API.STREAM.INFO.${stream}`),
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
    : `{ allow: [${subjects.map((subject) => `\n        "${subject}"`).join('')}\n      ] }`;

const rendered = ({ user, publish, subscribe, answers }: BrokerUser, password: string): string => `  {
    user: "${user}", password: ${password}
    permissions: {
      publish: ${only(publish)}
      subscribe: ${only(subscribe)}${answers ? '\n      allow_responses: { max: 1, expires: "1m" }' : ''}
    }
  }`;

/**
 * Renders the `authorization { … }` section of the server's configuration.
 * @param passwordOf the password as written there: in quotes, or the name of a variable
 */
export const renderBrokerUsers = (passwordOf: (user: string) => string): string =>
  [
    'users: [',
    `  { user: "${BROKER_ADMIN}", password: ${passwordOf(BROKER_ADMIN)} }`,
    ...brokerUsers().map((user) => rendered(user, passwordOf(user.user))),
    ']',
    '',
  ].join('\n');
