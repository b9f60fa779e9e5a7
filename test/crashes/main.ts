/** `npm run test:crashes [kills]`: kills processes, then servers, that share a store of tasks. Exits with 1 when a task was lost or ended twice. */
import { killServers } from "./kill-servers.js";
import { killStores } from "./kill-stores.js";

const kills = Number(process.argv[2] ?? 100);
for (const [what, test] of [
  ["stores", killStores],
  ["servers", killServers],
] as const) {
  const start = performance.now();
  const { problems, ...counts } = await test(kills);
  const seconds = Math.round((performance.now() - start) / 1_000);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${what}: ${JSON.stringify(counts)}, ${problems.length} problems, ${seconds} s\n`);
  if (problems.length > 0) process.exitCode = 1;
}
