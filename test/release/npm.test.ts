import { win32 } from "node:path";
import { expect, test } from "vitest";
import { npmCommand } from "../../scripts/npm.js";

const node = win32.join("C:", "node", "node.exe");

test.each([
  ["Linux", { platform: "linux", env: { npm_execpath: "/usr/lib/npm-cli.js" } }, ["npm", ["ci"]]],
  ["macOS", { platform: "darwin", env: {} }, ["npm", ["ci"]]],
  [
    "Windows, below npm",
    { platform: "win32", env: { npm_execpath: "C:\\npm\\bin\\npm-cli.js" } },
    [node, ["C:\\npm\\bin\\npm-cli.js", "ci"]],
  ],
  [
    "Windows, below another package manager",
    { platform: "win32", env: { npm_execpath: "C:\\pnpm\\pnpm.cjs" } },
    [node, [expect.stringMatching(/node_modules\/npm\/bin\/npm-cli\.js$/), "ci"]],
  ],
] as const)("runs npm without a shell on %s", (_, { platform, env }, expected) => {
  expect(npmCommand(["ci"], { platform, env, execPath: node })).toEqual(expected);
});
