import { run } from './cli.ts';
import { processTerminal } from './command.ts';

process.exitCode = await run(process.argv.slice(2), processTerminal);
