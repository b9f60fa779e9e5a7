import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { printVendorPins } from "../../generator/commands/vendor/vendor-pin.js";
import { packageRoot } from "../../generator/shared/package-root.js";
import { officialText, pinsOf } from "../generator/commands/vendor/upstream.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { cli } from "./command-line.js";
import { stubNetwork } from "./stub-network.js";

const newest = "2026-07-28";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Runs the command in a project. @param version the newest one in the registry; undefined: there is no network */
function outdated(version: string | undefined, ...args: readonly string[]): ReturnType<typeof cli> {
  stubNetwork(
    version === undefined
      ? undefined
      : {
          "/contents/schema?ref=main": JSON.stringify([{ name: newest, type: "dir" }]),
          [`/main/schema/${newest}/schema.ts`]: officialText(newest),
          "/@mcpwright%2fruntime/latest": JSON.stringify({ version }),
        },
  );
  const folder = sandbox();
  put(folder, {
    "schema/pins.json": printVendorPins(pinsOf(newest)),
    "package.json": JSON.stringify({ dependencies: { "@mcpwright/runtime": "*" } }),
    "node_modules/@mcpwright/runtime/package.json": JSON.stringify({ version: packageRoot().version }),
  });
  vi.spyOn(process, "cwd").mockReturnValue(folder);
  return cli("outdated", "--to", join(folder, "schema"), ...args);
}

test("0 when everything is current", async () => {
  expect(await outdated(packageRoot().version)).toEqual({ code: 0, out: "Everything is current.\n", err: "" });
});

test("1 when something is newer, as text and as JSON", async () => {
  const own = packageRoot().version;
  const remedy = "npm install @mcpwright/runtime@99.0.0";
  expect(await outdated("99.0.0")).toEqual({
    code: 1,
    out: `@mcpwright/runtime 99.0.0 is newer than ${own}\n  ${remedy}\n`,
    err: "",
  });
  const { code, out } = await outdated("99.0.0", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toEqual({
    current: false,
    newer: [{ kind: "package", name: "@mcpwright/runtime", ours: own, newest: "99.0.0", remedy }],
    open: [],
  });
});

test("4 when it cannot be found out", async () => {
  const { code, out, err } = await outdated(undefined);
  expect({ code, out }).toEqual({ code: 4, out: "" });
  expect(err).toContain("Cannot find out the published revisions: https://api.github.com/");
  expect(err).toContain("Cannot find out the newest version of @mcpwright/runtime: ");
  expect(err.match(/ECONNREFUSED$/gm)).toHaveLength(3);
  expect(err).toMatch(/\nCheck the network, proxies and --registry, and try again\.\n$/);
});

test.each([
  [["--registry", "ftp://x"], "--registry must be a URL that begins with http:// or https://."],
  [["--registry", "https://host:port"], "--registry must be a URL that begins with http:// or https://."],
  [["--to", ""], "--to must not be empty."],
])("wrong usage: %j", async (args, message) => {
  const { code, err } = await cli("outdated", ...args);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) as string });
});
