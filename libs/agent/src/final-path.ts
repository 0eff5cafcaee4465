import { realpath } from 'node:fs/promises';
import type { ConsentPrompt } from './protocol.ts';

/**
 * The final path of a file: long names, no links, no prefix (on Windows `GetFinalPathNameByHandle`). The path as it is
 * when the file cannot be opened; the product then takes it for suspicious unless it is plain.
 */
async function finalPath(path: string): Promise<string> {
  // A name alone would be looked for in the folder of the agent.
  if (!/[\\/]/.test(path)) return path;
  try {
    return await realpath(path);
  } catch {
    return path;
  }
}

/** A prompt with the final paths of its program and of the parent, as the product asks for them. */
export async function withFinalPaths(prompt: ConsentPrompt): Promise<ConsentPrompt> {
  const { target_executable_path: path, parent_image: parent } = prompt;
  return {
    ...prompt,
    target_executable_path: await finalPath(path),
    ...(typeof parent === 'string' && { parent_image: await finalPath(parent) }),
  };
}
