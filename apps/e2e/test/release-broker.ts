import { type Backing, brokerUrlOf } from '@gatehouse/stack';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `deploy/nats` of a release with the files that it includes. */
function shippedConfiguration(checkout: string): string {
  const file = (name: string): string => readFileSync(join(checkout, 'deploy/nats', name), 'utf8');
  return file('nats.conf').replace(/^include '(.+)'$/gm, (_, name: string) => file(name));
}

/** Restarts the broker with the configuration that a release ships. @param directory of the servers */
export async function useShippedBroker({ nats }: Backing, directory: string, checkout: string): Promise<void> {
  const { port, password } = new URL(nats.url);
  const passwordOf = (variable: string): string =>
    new URL(brokerUrlOf(nats.url, variable.toLowerCase().replaceAll('_', '-'))).password;
  const text = shippedConfiguration(checkout)
    .replace(/\$NATS_PASSWORD_([A-Z_]+)/g, (_, variable: string) => `"${passwordOf(variable)}"`)
    .replaceAll('$NATS_PASSWORD', `"${password}"`)
    .replace(/^port: .*$/m, `host: 127.0.0.1\nport: ${port}`)
    .replace(/^http_port: .*$/m, '')
    .replace('store_dir: /data', `store_dir: "${join(directory, 'nats')}"`);
  await nats.stop();
  writeFileSync(join(directory, 'nats/nats.conf'), text);
  await nats.start();
}
