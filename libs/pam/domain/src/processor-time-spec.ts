/** What this process has used of processors, in milliseconds: other work of the machine does not count. */
export function processorMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
