import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readGatewayConfig } from "../../../../generator/commands/gateway/config/read-config.js";

const folder = join(import.meta.dirname, "../../../../docs/guide");
const pages = readdirSync(folder)
  .filter((name) => /^gateway-.*\.md$/.test(name))
  .map((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    return [name, [...text.matchAll(/^```jsonc?\n(.*?)^```/gms)].map(([, config = ""]) => config)] as const;
  });
const configs = pages.flatMap(([name, texts]) => texts.map((text) => [name, text] as const));

test("the guides have configurations", () => expect(configs).toHaveLength(3));

describe.each(configs)("%s", (path, text) => {
  test("is valid", () => {
    const { config, problems } = readGatewayConfig(text, { path });
    expect(problems).toEqual([]);
    expect(config?.servers.length).toBeGreaterThan(0);
  });
});
