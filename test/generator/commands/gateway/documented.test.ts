import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readGatewayConfig } from "../../../../generator/commands/gateway/config/read-config.js";

const folder = join(import.meta.dirname, "../../../../docs");
const pages = [...readdirSync(join(folder, "guide")).map((name) => `guide/${name}`), "cli/gateway.md"]
  .filter((name) => /gateway-.*\.md$|^cli/.test(name))
  .map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [name, [...text.matchAll(/^```jsonc?\n(.*?)^```/gms)].map(([, config = ""]) => config)] as const;
  });
const configs = pages.flatMap(([name, texts]) =>
  texts.filter((text) => text.includes('"mcpServers"')).map((text) => [name, text] as const),
);

test("the guides have configurations", () => expect(configs).toHaveLength(7));

describe.each(configs)("%s", (path, text) => {
  test("is valid", () => {
    const { config, problems } = readGatewayConfig(text, { path });
    expect(problems).toEqual([]);
    expect(config?.servers.length).toBeGreaterThan(0);
  });
});
