import { Launcher } from './launcher/launcher.ts';
import { demoReport, welcome } from './launcher/welcome.ts';
import { StackError } from './stack-error.ts';

const log = (line: string): boolean => process.stdout.write(`· ${line}\n`);

function say(error: unknown): void {
  const text =
    error instanceof StackError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`\nGatehouse cannot start: ${text}\n`);
}

const PARENT_POLL_MS = 500;

/** npm passes a signal to a shell, which ends without passing it on. */
function whenNpmEnds(then: () => void): void {
  if (!process.env['npm_lifecycle_event']) return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && then(), PARENT_POLL_MS).unref();
}

/** Runs the product until a signal. A terminal and npm may both send one; the second has no effect. */
async function run(made?: Promise<void>): Promise<void> {
  const launcher = new Launcher(log);
  const stopOn = async (signal: string): Promise<void> => {
    log(`${signal}: finishing what is under way, then stopping`);
    await launcher.stop();
    log('stopped; the data is kept');
    process.exit(0);
  };
  let told = false;
  const tell = (reason: string): void => {
    if (!told) void stopOn(reason);
    told = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tell(signal));
  whenNpmEnds(() => tell('npm has ended'));
  try {
    const facts = await launcher.start(made);
    const report = told ? undefined : await demoReport(facts, log);
    if (!told) process.stdout.write(await welcome(facts, report));
  } catch (error) {
    if (told) return;
    await launcher.stop();
    throw error;
  }
}

/** @param made resolves when the programs of the services are there; until then the servers start */
export async function launch(made?: Promise<void>): Promise<void> {
  // When the reader of our output ends (`npm start | head`), the product keeps running.
  process.stdout.on('error', () => undefined);
  try {
    await run(made);
  } catch (error) {
    say(error);
    process.exit(1);
  }
}
