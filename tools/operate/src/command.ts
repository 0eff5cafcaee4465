import type { ParseArgsConfig } from 'node:util';
import type { Door } from './door.ts';

export type Options = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** A command of an operator. Each is safe to repeat. */
export interface Command {
  /** The words that name it. */
  readonly name: string;
  readonly does: string;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  /**
   * @param say writes a line for the operator
   * @param env the environment, for what is not asked of a service
   * @returns the exit code
   */
  run(door: Door, options: Options, say: (line: string) => void, env: NodeJS.ProcessEnv): Promise<number>;
}

/** The one service that the option names, or all. @throws Error for one that is not among them */
export function servicesFor(option: Options[string], all: readonly string[]): readonly string[] {
  if (option === undefined) return all;
  if (typeof option !== 'string' || !all.includes(option))
    throw new Error(`--service must be one of ${all.join(', ')}`);
  return [option];
}
