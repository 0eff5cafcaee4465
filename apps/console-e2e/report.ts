import { randomUUID } from 'node:crypto';
import type { Device } from './world.ts';

export interface Prompt {
  readonly path: string;
  readonly user?: string;
  readonly signer?: string;
  readonly hash?: string;
  readonly commandLine?: string;
  readonly reason?: string;
}

/** The agent of a device reports a prompt. @returns the id of the request */
export async function report({ id, agent }: Device, prompt: Prompt): Promise<string> {
  const { path, user = 'maria', signer, hash = randomUUID().replaceAll('-', '').padEnd(64, '0') } = prompt;
  const answer = await agent.must<{ id: string }>('POST', `/agents/${id}/elevation-requests`, {
    subject_username: user,
    target_executable_path: path,
    target_executable_hash: hash,
    target_executable_signer: signer,
    command_line: prompt.commandLine,
    reason: prompt.reason,
    observed_at: new Date().toISOString(),
  });
  return answer.id;
}
