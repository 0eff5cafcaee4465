export { testDatabase, type TestDatabase, testServers } from './backing.ts';
