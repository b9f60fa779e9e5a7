import { expect, test } from "vitest";
import { killServers } from "../crashes/kill-servers.js";
import { killStores } from "../crashes/kill-stores.js";

test.each([
  ["stores", killStores, 12],
  ["servers", killServers, 8],
])("killed processes with %s lose no task, and end none twice", { timeout: 180_000 }, async (_what, kill, kills) => {
  const { problems, completed, failed, cancelled, claimed } = await kill(kills);
  expect(problems).toEqual([]);
  for (const count of [completed, failed, cancelled, claimed]) expect(count).toBeGreaterThan(0);
});
