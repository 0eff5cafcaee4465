import { streamOf } from './streams.ts';
import { publishedBy, TRAFFIC } from './traffic.ts';

/** The broker's administrator: makes streams and consumers, and is no service. */
export const BROKER_ADMIN = 'gatehouse';

/** What the broker lets one service do. */
export interface BrokerUser {
  readonly user: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** Whether it may answer on the reply subject of a question that it was asked. */
  readonly answers: boolean;
}

/** Where the answers to one service arrive; no other may listen there. */
export const inboxOf = (service: string): string => `_INBOX.${service}`;

const streamNames = (subjects: readonly string[]): string[] => [
  ...new Set(subjects.map((subject) => streamOf(subject).name)),
];

/** To look at its own consumer, to fetch from it and to acknowledge: not to make, change or delete one. */
const consuming = (service: string, stream: string): string[] => [
  `$JS.API.CONSUMER.INFO.${stream}.${service}`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.${service}`,
  `$JS.ACK.${stream}.${service}.>`,
];

/** The answer wraps the message in JSON: unlike `DIRECT.GET`, sent elsewhere by its reply subject it is no event. */
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

/** An empty list of what is allowed would allow everything. */
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
 * The part of the server's configuration that stands in `authorization { … }`.
 * @param passwordOf the password as it is to stand there: in quotes, or the name of a variable
 */
export const renderBrokerUsers = (passwordOf: (user: string) => string): string =>
  [
    'users: [',
    `  { user: "${BROKER_ADMIN}", password: ${passwordOf(BROKER_ADMIN)} }`,
    ...brokerUsers().map((user) => rendered(user, passwordOf(user.user))),
    ']',
    '',
  ].join('\n');
