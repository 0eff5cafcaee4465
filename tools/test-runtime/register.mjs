import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

// The main threads of test processes are jest's own business.
if (!isMainThread) register('./load.mjs', import.meta.url);
