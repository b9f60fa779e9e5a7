/** Looks for leaks: how much more a server holds after many calls, sessions and streams. Fails when it is too much. */
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
