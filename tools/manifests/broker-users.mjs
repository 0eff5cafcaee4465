import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { settingOf } from '@gatehouse/contracts-core';
import { BROKER_ADMIN, renderBrokerAccounts } from '@gatehouse/messaging/broker';

// Writes the logins and permissions of the broker from the catalogue of traffic, after `npm run build`:
//   node tools/manifests/broker-users.mjs

const HEADING =
  '# Made by tools/manifests/broker-users.mjs from the catalogue of traffic. The passwords come from the environment.\n';

const variableOf = (user) => (user === BROKER_ADMIN ? '$NATS_PASSWORD' : `$NATS_PASSWORD_${settingOf(user)}`);

export const brokerConfiguration = () => `${HEADING}${renderBrokerAccounts(variableOf)}`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('../../deploy/nats/accounts.conf', import.meta.url), brokerConfiguration());
