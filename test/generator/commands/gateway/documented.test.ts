import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readGatewayConfig } from "../../../../generator/commands/gateway/config/read-config.js";

const page = readFileSync(join(import.meta.dirname, "../../../../docs/cli/gateway.md"), "utf8");
const configs = [...page.matchAll(/^```jsonc?\n(.*?)^```/gms)].map(([, text = ""]) => text);

test("the page has configurations", () => expect(configs).toHaveLength(3));

test.each(configs)("%s is valid", (text) => {
  const { config, problems } = readGatewayConfig(text, { path: "docs/cli/gateway.md" });
  expect(problems).toEqual([]);
  expect(config?.servers.length).toBeGreaterThan(0);
});
