import { type RunningProduct, startProduct } from '@gatehouse/stack';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEMO = join(dirname(fileURLToPath(import.meta.url)), '../../../tools/demo/dist/main.js');

let product: RunningProduct;
beforeAll(async () => {
  product = await startProduct({ DEMO: 'true' });
}, 180_000);
afterAll(() => product.stop(), 60_000);

it('walks the main journey: identity provider, agent, approval with a second factor, actuation, push, verified audit log', async () => {
  const outcome = await new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, NODE_OPTIONS: '', GATEHOUSE_STACK_DIRECTORY: product.directory, GATEHOUSE_URL: product.baseUrl };
    execFile(process.execPath, [DEMO, '--url', product.baseUrl], { env, timeout: 110_000 }, (error, stdout, stderr) => resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: `${stdout}\n${stderr}` }));
  });
  expect(outcome).toMatchObject({ code: 0, output: expect.any(String) });
}, 120_000);
