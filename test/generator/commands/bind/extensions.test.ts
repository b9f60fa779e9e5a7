import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@mcpwright/runtime/client";
import { StreamableHTTPClientTransport } from "@mcpwright/runtime/client/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { writeClient } from "../../../../generator/commands/bind/write-client.js";
import { generate } from "../../../../generator/pipeline/generate.js";
import { cli, root } from "../../../cli/command-line.js";
import { put, refusal, sandbox, treeOf } from "../../shared/files/sandbox.js";
import { urlOf } from "../../shared/sessions/places.js";
import { reports } from "../../shared/sessions/reports.js";
import { compileErrors, load } from "./bound.js";

const tasks = "io.modelcontextprotocol/tasks";
const rank = join(root, "test/generator/pipeline/fixtures/rank");

type Call = (client: Client, ...args: unknown[]) => Promise<{ readonly content: readonly { readonly text: string }[] }>;

describe.each([["2026-07-28"], ["2025-11-25"]])("a client bound to a server with tasks, in %s", (revision) => {
  test("declares the extension, and calls tools that run as tasks", async () => {
    const url = await urlOf(reports({ revisions: [revision] }));
    const { text, findings } = await writeClient({ target: [url], extensions: [tasks] });
    expect(findings).toEqual([]);
    const bound = await load(text);
    const { extensions } = bound as { readonly extensions: NonNullable<ConstructorParameters<typeof Client>[1]>["extensions"] }; // prettier-ignore
    const client = new Client(
      { name: "test", version: "1" },
      { capabilities: { elicitation: { form: {} } }, ...(extensions && { extensions }) },
    );
    onTestFinished(() => client.close());
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { to: "Ada" } }));
    await client.connect(new StreamableHTTPClientTransport(url));
    const { makeReport, review } = bound as Readonly<Record<string, Call>>;
    const statuses: string[] = [];
    const onStatus = ({ status }: { readonly status: string }): unknown => statuses.push(status);
    expect((await makeReport?.(client, { task: true, onStatus }))?.content[0]?.text).toBe("as a task");
    expect((await review?.(client))?.content[0]?.text).toBe("accept");
    expect(statuses.length).toBeGreaterThan(0);
  });
});

test("the file compiles: extensions, options of tasks, and the messages of the extension", async () => {
  const url = await urlOf(reports());
  const { text } = await writeClient({ target: [url], extensions: [tasks] });
  const use = `
const declared = new Client({ name: "x", version: "1" }, { extensions: bound.extensions });
const result: bound.ToolResult = await bound.makeReport(declared, { task: { ttlMs: 1 }, onTask: ({ taskId }) => taskId });
const { status } = await bound.tasks.getTask(declared.connection, { taskId: "1" });
const known: "working" | "input_required" | "completed" | "failed" | "cancelled" = status;
void [result, known];
// @ts-expect-error the id is missing
await bound.tasks.cancelTask(declared.connection, {});
`;
  expect(compileErrors(text, use)).toEqual([]);
});

test("a short name means the same as the id, and both declare the extension once", async () => {
  const target = [await urlOf(reports())];
  // The first lines show the command.
  const code = async (...extensions: readonly string[]): Promise<string> =>
    (await writeClient({ target, extensions })).text.replace(/^(\/\/.*\n)+/, "");
  expect(await code("tasks")).toBe(await code(tasks));
  expect(await code("tasks", tasks)).toBe(await code(tasks));
});

test("an extension of one's own is imported from where it was generated", async () => {
  const folder = sandbox();
  const out = join(folder, "src/generated");
  await generate({ extension: rank, out });
  const file = join(folder, "src/client.ts");
  const url = await urlOf(reports());
  const given = ["bind", "--out", file, "--extension", join(out, "extensions/rank"), url];
  const { code, err, out: printed } = await cli(...given);
  expect({ code, printed }).toEqual({ code: 0, printed: `${file} was written: 5 tools, 0 prompts, 0 templates, 0 resources\n` }); // prettier-ignore
  expect(err).toContain(
    "finding[bind-extension-undeclared]: the server does not declare the extension com.example/rank",
  );
  const text = readFileSync(file, "utf8");
  expect(text).toContain('import { clientExtension as rankExtension } from "./generated/extensions/rank/index.js";');
  expect(text).toContain('export * as rank from "./generated/extensions/rank/client.js";');
  expect(text).toContain("export const extensions = [rankExtension];");
  expect(text).toContain(`--extension ${join(out, "extensions/rank")}`);
  expect((await cli(...given, "--check")).code).toBe(0);
  const without = await cli("bind", "--out", file, "--check", url);
  expect(without.code).toBe(1);
  expect(without.out).toContain('-export * as rank from "./generated/extensions/rank/client.js";');
});

describe("is refused, and nothing is written:", () => {
  test.each<[what: string, extension: string, error: string]>([
    [
      "an unknown id",
      "com.example/other",
      "extension-unknown: mcpwright does not have the extension com.example/other",
    ],
    ["an id without code", "io.modelcontextprotocol/ui", "extension-not-generated: io.modelcontextprotocol/ui is not the generated code of an extension: its messages are not those of a client and a server"], // prettier-ignore
    ["a missing folder", "none", "extension-not-generated: OUT/none is not the generated code of an extension: it is not a folder"], // prettier-ignore
    ["a folder without code", "empty", "extension-not-generated: OUT/empty is not the generated code of an extension: it has no model.json"], // prettier-ignore
    ["the folder of a revision", "revision", "extension-not-generated: OUT/revision is not the generated code of an extension: its model.json is that of a revision"], // prettier-ignore
    ["a broken model", "broken", "extension-not-generated: OUT/broken is not the generated code of an extension: its model.json is not JSON"], // prettier-ignore
  ])("%s", async (_, extension, error) => {
    const folder = sandbox();
    put(folder, { "empty/x": "", "revision/model.json": '{"revision": "r1"}', "broken/model.json": "{" });
    const before = treeOf(folder);
    const place = extension.includes("/") ? extension : join(folder, extension);
    const run = writeClient({ target: ["http://127.0.0.1:1/mcp"], out: join(folder, "c.ts"), extensions: [place] });
    expect(await refusal(folder, run)).toEqual([error]);
    expect(treeOf(folder)).toEqual(before);
  });

  test("an empty --extension", async () => {
    expect((await cli("bind", "--extension", "", "x")).err).toContain("--extension must not be empty.");
  });
});
