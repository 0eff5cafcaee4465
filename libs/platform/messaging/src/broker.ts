export { BROKER_ADMIN, brokerUsers, renderBrokerUsers } from './broker-users.ts';
export { keepProvisioned, provisionBroker } from './provision-broker.ts';
export { TRAFFIC } from './traffic.ts';
