export type EgressFault =
  'address_refused' | 'unreachable' | 'timeout' | 'too_large' | 'redirected' | 'busy' | 'malformed';

/** An outbound request that was not made, or whose answer cannot be used. The message is for logs, not for clients. */
export class EgressError extends Error {
  constructor(
    readonly fault: EgressFault,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EgressError';
  }
}

export const tooLarge = (maxBytes: number, cause?: unknown): EgressError =>
  new EgressError('too_large', `the answer is larger than ${maxBytes} bytes`, { cause });
