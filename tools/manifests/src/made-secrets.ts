import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Secret {
  readonly metadata: { readonly name: string };
  readonly stringData: Readonly<Record<string, string>>;
}

/** The Secrets of a new installation in Kubernetes. */
export function madeSecrets(): readonly Secret[] {
  const program = fileURLToPath(new URL('../../../deploy/make-secrets.mjs', import.meta.url));
  const output = execFileSync(process.execPath, [program, '--kubernetes'], { encoding: 'utf8' });
  return (JSON.parse(output) as { items: Secret[] }).items;
}
