import { requireSupportedNode } from './supported-node.mjs';

requireSupportedNode();
// Not before: the rest is written in a syntax that an old Node cannot read.
import('./launch.mjs');
