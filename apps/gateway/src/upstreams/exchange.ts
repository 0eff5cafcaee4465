import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Dispatcher, errors } from 'undici';

/** Bytes. */
const SMALL_ANSWER = 64 * 1024;
const NO_BODY_STATUSES = [204, 304];
const FIRST_FINAL_STATUS = 200;

/** A service's response: a buffer if it is known to be small, a stream otherwise. */
export interface UpstreamResponse {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer | Readable;
}

export const textOf = ({ body }: UpstreamResponse): Promise<string> | string =>
  Buffer.isBuffer(body) ? body.toString() : text(body);

/**
 * Sends one request to a service. It handles the response at the level of the dispatcher, because the body streams of
 * the client library cost more than the rest of the gateway's work.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  /** Resolves with the complete response if it is small, or else with the headers and a stream. */
  readonly answer: Promise<UpstreamResponse>;
  /** The client has left. */
  isAborted = false;
  private resolve: (answer: UpstreamResponse) => void = () => undefined;
  private reject: (error: Error) => void = () => undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private ended = false;
  private head: Omit<UpstreamResponse, 'body'> | null = null;
  private stream: Readable | null = null;
  private readonly chunks: Buffer[] = [];

  constructor() {
    this.answer = new Promise((resolve, reject) => Object.assign(this, { resolve, reject }));
  }

  /** Aborts the request because the client has left; has no effect after the complete response. */
  abort(): void {
    if (this.ended) return;
    const reason = new errors.RequestAbortedError();
    this.isAborted = true;
    this.reject(reason);
    this.controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isAborted) this.abort();
  }

  onResponseStart(controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < FIRST_FINAL_STATUS) return;
    this.head = { statusCode, headers };
    if (NO_BODY_STATUSES.includes(statusCode) || Number(headers['content-length']) <= SMALL_ANSWER) return;
    this.stream = streamOf(controller);
    this.resolve({ ...this.head, body: this.stream });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.stream) this.chunks.push(chunk);
    else if (!this.stream.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.ended = true;
    if (this.stream) this.stream.push(null);
    else if (this.head)
      this.resolve({ ...this.head, body: this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.ended = true;
    this.reject(error);
    this.stream?.destroy(error);
  }
}

const streamOf = (controller: Dispatcher.DispatchController): Readable =>
  new Readable({
    read: () => controller.resume(),
    destroy: (error, done) => {
      controller.abort(error ?? new errors.RequestAbortedError());
      done(error);
    },
  });
