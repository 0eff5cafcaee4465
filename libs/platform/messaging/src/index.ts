export * from './consumer-runner.ts';
export * from './consumes.ts';
export * from './dead-letters.ts';
export * from './event-bus.ts';
export * from './outbox-relay.ts';
export * from './streams.ts';
