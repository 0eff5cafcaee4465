export { BROKER_ADMIN, brokerUsers, renderBrokerAccounts } from './broker-users.ts';
export { keepProvisioned, provisionBroker } from './provision-broker.ts';
export { TRAFFIC } from './traffic.ts';
