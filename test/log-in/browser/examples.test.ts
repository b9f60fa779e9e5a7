/** The examples whose users click in Chromium print what their pages and tools say. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { root } from "../../cli/command-line.js";

const loader = import.meta.resolve("tsx");

/** What a user of the example `protected` sees. */
const diary = (name: string): readonly string[] => [
  `${name} clicks "Sign-in" at the authorization server`,
  `${name} clicks "Continue" at the authorization server`,
  `The diary of ${name} is empty`,
  `${name} clicks "Continue" at the authorization server`,
  `Written into the diary of ${name}`,
  "Dear diary",
];

const printed: Readonly<Record<string, readonly string[]>> = {
  protected: ["A request without a token gets 401.", ...diary("ada"), ...diary("grace")],
  proxy: [
    'ada clicks "Allow" at the MCP server',
    'ada clicks "Sign-in" at the provider',
    'ada clicks "Continue" at the provider',
    "The provider calls you ada Example",
    'ada clicks "Allow" at the MCP server',
    "The provider calls you ada Example",
  ],
};

test.each(Object.entries(printed))("%s", { timeout: 120_000 }, async (name, lines) => {
  const program = join(root, "examples", name, "main.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", loader, program]);
  expect(stdout.trimEnd().split("\n")).toEqual(lines);
});
