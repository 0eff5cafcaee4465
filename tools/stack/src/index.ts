export { brokerSettings, brokerUrlOf } from './broker-url.ts';
export { type BackingOptions, startBacking, sweepAbandoned, URL_SETTINGS } from './backing.ts';
export type { Backing, Part, RunningPart } from './parts/running-part.ts';
export { Api, type ApiAnswer, type SignInAs } from './api.ts';
export { findBrowser, findWholeBrowser } from './binaries/run.ts';
export { credentialsOf } from './credentials.ts';
export { debianProgram } from './binaries/debian-packages.ts';
export { type Endpoints, type RunningProduct, startProduct } from './product.ts';
export { programOf, toolProgram, writeWhole } from './paths.ts';
export { findNats } from './parts/nats.ts';
export { freePort } from './ports.ts';
export {
  cloneDatabase,
  connected,
  databasesMatching,
  dropDatabase,
  provisionDatabase,
  type ServiceDatabase,
  underDatabaseLock,
  withDatabase,
} from './provision.ts';
export type { DemoReport, DemoSignIn } from './demo/demo.ts';
export { knownReport } from './demo/demo.ts';
export { seedDemo } from './demo/seed-demo.ts';
export { qrCodeLines, signInLines } from './demo/sign-in-lines.ts';
export { migrateDatabase } from './services/databases.ts';
export { environmentOf, type Facts, type ServicePorts } from './services/environment.ts';
export { SERVICE_FLAGS } from './services/service-child.ts';
export { StackError } from './stack-error.ts';
