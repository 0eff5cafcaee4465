// Runs on any Node that knows modules, so that an old one reads this file and not an error of syntax.

/** The first release of each line that the packages run on; later lines than these are taken whole. */
const OLDEST = { 20: 19, 22: 13, 24: 11 };

/** Stops with one line on a Node that is too old. */
export function requireSupportedNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || minor >= OLDEST[major]) return;
  process.stderr.write(
    `Gatehouse needs Node.js 20.19, 22.13, 24.11 or a later release of these lines, or a later line; this is ${process.versions.node} (nodejs.org/download)\n`,
  );
  process.exit(1);
}
