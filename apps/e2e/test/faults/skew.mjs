import { readFileSync } from 'node:fs';

/**
 * Loaded into a service before its own code: its clock goes wrong by as many milliseconds as the file SKEW_FILE says at
 * the moment.
 */
const LOOK_MS = 100;
const RealDate = Date;
let skewMs = 0;

const look = () => {
  try {
    skewMs = Number(readFileSync(process.env.SKEW_FILE, 'utf8'));
  } catch {
    skewMs = 0;
  }
};

look();
setInterval(look, LOOK_MS).unref();

const now = () => RealDate.now() + skewMs;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
