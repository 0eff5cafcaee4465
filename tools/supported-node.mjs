// Runs on any Node that knows modules, so that an old one reads this file and not an error of syntax.

const OLDEST = [20, 19];

/** Stops with one line on a Node that is too old. */
export function requireSupportedNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  process.stderr.write(
    `Gatehouse needs Node.js ${OLDEST.join('.')} or later; this is ${process.versions.node} (nodejs.org/download)\n`,
  );
  process.exit(1);
}
