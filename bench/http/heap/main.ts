/** Detects leaks: measures heap growth of a server over many calls, sessions and streams. Fails above the limit. */
import { resolve } from "node:path";
import { measureGrowths } from "../../shared/growth.js";
import { growthOfServer, scenarios } from "./growth.js";

await measureGrowths(
  {
    sources: resolve(import.meta.dirname, ".."),
    file: "heap-http",
    title: "Heap growth over HTTP",
    over: "Streamable HTTP",
  },
  async function* (stage, scale) {
    for (const scenario of scenarios(scale)) yield growthOfServer(stage, scenario);
  },
);
