import { TestEnvironment } from 'jest-environment-jsdom';

/** What browsers have and jsdom has not; Node has the same. */
const FROM_NODE = [
  'BroadcastChannel',
  'CompressionStream',
  'DecompressionStream',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextDecoderStream',
  'TextEncoder',
  'TransformStream',
  'WritableStream',
  'fetch',
  'structuredClone',
];

/** A document of jsdom with the interfaces of the network, so that a test can replace `fetch` alone. */
export default class BrowserEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    for (const name of FROM_NODE) this.global[name] ??= globalThis[name];
  }
}
