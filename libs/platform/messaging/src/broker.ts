export { BROKER_ADMIN, brokerUsers, renderBrokerAccounts } from './broker/broker-users.ts';
export { keepProvisioned, provisionBroker } from './broker/provision-broker.ts';
export { TRAFFIC } from './catalogue/traffic.ts';
