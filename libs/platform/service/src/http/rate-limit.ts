import type { AgentCaller, Caller } from '@gatehouse/contracts-core';
import { type LimitName, LIMITS, RateLimiter } from '@gatehouse/rate-limit';
import { Inject } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/** The party whose uses a limit counts, by the arguments of the handler. */
interface Subject<A extends unknown[]> {
  readonly per: string;
  readonly of: (...args: A) => string;
}

/** The network of the client's address. */
export const perClient: Subject<[Caller]> = { per: 'client', of: ({ origin }) => origin.ip ?? 'unknown' };
export const perDevice: Subject<[Pick<AgentCaller, 'deviceId'>]> = { per: 'device', of: ({ deviceId }) => deviceId };

const LIMITER = 'rateLimiter';
type Limited = Readonly<Record<typeof LIMITER, RateLimiter>>;

function copyMetadata(from: object, to: object): void {
  for (const key of Reflect.getMetadataKeys(from) as unknown[])
    Reflect.defineMetadata(key, Reflect.getMetadata(key, from), to);
}

/**
 * Counts each call of a handler against a limit, once its input is valid, and states the limit in the contract. Limits
 * whose subject only the operation learns are counted there, with the {@link RateLimiter}, and stated by
 * {@link ApiRateLimit}.
 */
export const RateLimit =
  <S extends unknown[]>(name: LimitName, { per, of }: Subject<S>) =>
  <A extends [...S, ...unknown[]], R>(
    prototype: object,
    method: string,
    descriptor: TypedPropertyDescriptor<(...args: A) => Promise<R>>,
  ): void => {
    const handler = descriptor.value;
    if (!handler) return;
    const limited = async function (this: Limited, ...args: A): Promise<R> {
      await this[LIMITER].require(name, of(...(args.slice(0, of.length) as S)));
      return handler.apply(this, args);
    };
    copyMetadata(handler, limited);
    // Nest finds the parameters of a handler by its name.
    Object.defineProperty(limited, 'name', { value: method });
    Inject(RateLimiter)(prototype, LIMITER);
    descriptor.value = limited;
    ApiRateLimit(name, per)(prototype, method, descriptor);
  };

/** States a limit in the contract that the operation counts itself, because only it learns the subject. */
export function ApiRateLimit(name: LimitName, per: string): MethodDecorator {
  const { max, windowSeconds } = LIMITS[name];
  return ApiExtension('x-rate-limit', { name, per, max, windowSeconds });
}
