import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { EgressError, tooLarge } from './egress-target.ts';

const FIRST_FINAL_STATUS = 200;
const FIRST_REDIRECT = 300;
const LAST_REDIRECT = 399;

export interface Collected {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As received, still encoded. */
  readonly body: Buffer;
}

/** Collects one response in memory, complete or not at all. The body streams of undici cost several times as much. */
export class CollectedResponse implements Dispatcher.DispatchHandler {
  readonly whole: Promise<Collected>;
  private resolve: (answer: Collected) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private failure: Error | null = null;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private size = 0;
  private readonly chunks: Buffer[] = [];

  constructor(private readonly maxBytes: number) {
    this.whole = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** Aborts the request and its connection. Has no effect once the response is complete. */
  fail(reason: Error): void {
    this.failure ??= reason;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(this.failure);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < FIRST_FINAL_STATUS) return;
    this.status = status;
    this.headers = headers;
    if (status >= FIRST_REDIRECT && status <= LAST_REDIRECT)
      this.fail(new EgressError('redirected', 'the host answered with a redirect, which is not followed'));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > this.maxBytes) return this.fail(tooLarge(this.maxBytes));
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.resolve({ status: this.status, headers: this.headers, body: Buffer.concat(this.chunks) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.reject(error);
  }
}
