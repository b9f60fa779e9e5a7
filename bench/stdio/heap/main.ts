/** Detects leaks: measures heap growth of a connection over many calls. Fails above the limit. */
import { resolve } from "node:path";
import { measureGrowths } from "../../shared/growth.js";
import { growthOfClient, growthOfServer, scenarios } from "./growth.js";

await measureGrowths(
  { sources: resolve(import.meta.dirname, ".."), file: "heap", title: "Heap growth", over: "stdio" },
  async function* (stage, scale) {
    for (const scenario of scenarios(scale)) yield growthOfServer(stage, scenario);
    yield growthOfClient(stage, "answered", 1_000_000 * scale);
    yield growthOfClient(stage, "timed out", 100_000 * scale);
    yield growthOfClient(stage, "cancelled", 100_000 * scale);
  },
);
