import { expect, test } from "vitest";
import { configureServers } from "../../../../generator/commands/gateway/configure-server.js";
import { checkConfig } from "../../../../generator/commands/gateway/config/check-config.js";
import { configText } from "./places.js";

const optionsOf = (limits: object) => {
  const text = configText({ one: { url: "http://localhost:1/mcp", limits } });
  const { config } = checkConfig(text, { path: "gateway.json", lenient: false });
  const setup = { user: { tell: () => undefined }, authorization: {} };
  return configureServers(config?.servers ?? [], { path: "gateway.json", inputs: [] }, setup).get("one")?.options;
};

test("limits of a server are options of the gateway", () => {
  expect(optionsOf({ maxConnections: 3, timeoutMs: 5_000 })).toMatchObject({ maxConnections: 3, maxTotalMs: 5_000 });
  expect(optionsOf({ maxConnections: 3 })?.limits).toBeUndefined();
  expect(optionsOf({ concurrency: 2 })?.limits?.("one")).toMatchObject({ concurrency: 2 });
});
