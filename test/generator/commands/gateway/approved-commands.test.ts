import { join } from "node:path";
import { expect, test } from "vitest";
import { ApprovedCommands, commandDigest } from "../../../../generator/commands/gateway/approved-commands.js";
import type { ServerConfig } from "../../../../generator/commands/gateway/config/gateway-config.js";
import { commandServer, urlServer } from "../../../../generator/commands/gateway/config/single-server.js";
import { sandbox, treeOf } from "../../shared/files/sandbox.js";

const files = commandServer("files", ["npx", "-y", "some-server", "/my files"], { KEY: "a secret" });

function approving(folder: string, config = "/host.json") {
  const lines: string[] = [];
  const tell = (line: string): void => void lines.push(line);
  const commands = new ApprovedCommands(join(folder, "credentials.json"), config, { tell });
  const approve = async (servers: readonly ServerConfig[], answer?: string | true): Promise<readonly string[]> => {
    const ask = typeof answer === "string" ? { ask: () => Promise.resolve(answer) } : {};
    const approved = await commands.approve(servers, { tell, isApproved: answer === true, ...ask });
    return approved.map(({ name }) => name);
  };
  return { lines, approve };
}

test("without an approval, a command is shown and left out", async () => {
  const { lines, approve } = approving(sandbox());
  expect(await approve([files, urlServer("docs", "https://example.com/mcp")])).toEqual(["docs"]);
  expect(lines).toEqual([
    'files of /host.json starts this command:\n  npx -y some-server "/my files"\n    with the variable KEY',
    expect.stringMatching(/^error\[gateway-command-unapproved\]: /),
  ]);
});

test.each([["y"], ["Yes "], [true]] as const)("%j approves it, once and for all later runs", async (answer) => {
  const folder = sandbox();
  const first = approving(folder);
  expect(await first.approve([files], answer)).toEqual(["files"]);
  expect(first.lines).toHaveLength(1);
  const second = approving(folder);
  expect(await second.approve([files])).toEqual(["files"]);
  expect(second.lines).toEqual([]);
  expect(Object.values(treeOf(folder)).join("")).not.toMatch(/secret|some-server/);
});

test.each(["", "n", "no", "yesterday"])("%j does not approve it", async (answer) => {
  const { lines, approve } = approving(sandbox());
  expect(await approve([files], answer)).toEqual([]);
  expect(lines.at(-1)).toBe("files is left out.");
});

test("what changes a command needs another approval", () => {
  const text = (source: string) => ({ source, parts: [source] });
  const variants = [
    files,
    { ...files, command: text("npm") },
    { ...files, args: [...files.args, text("--all")] },
    { ...files, args: [text("-y some-server")] },
    { ...files, cwd: text("/other") },
    { ...files, envFile: text(".env") },
    { ...files, env: { ...files.env, NODE_OPTIONS: text("x") } },
  ];
  const digests = [...variants.map((one) => commandDigest(one, "/host.json")), commandDigest(files, "/other.json")];
  expect(new Set(digests).size).toBe(digests.length);
  expect(commandDigest({ ...files, name: "x", env: { KEY: text("b") } }, "/host.json")).toBe(digests[0]);
});
