/** Extensions of the package by id and by short name. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { extensionNamed, namedExtension } from "../../../../generator/shared/sources/extension-folder.js";
import { put, sandbox } from "../files/sandbox.js";

const folder = sandbox();
put(folder, {
  "extensions/tasks/draft/overlay.json": JSON.stringify({ id: "io.modelcontextprotocol/tasks" }),
  "extensions/apps/draft/overlay.json": JSON.stringify({ id: "io.modelcontextprotocol/ui" }),
  "extensions/other-ui/draft/overlay.json": JSON.stringify({ id: "com.example/ui" }),
});

test.each<[location: string, id: string | undefined]>([
  ["io.modelcontextprotocol/tasks", "io.modelcontextprotocol/tasks"],
  ["tasks", "io.modelcontextprotocol/tasks"],
  ["apps", "io.modelcontextprotocol/ui"],
  ["other-ui", "com.example/ui"],
  ["schema.ts", undefined],
  ["./tasks", undefined],
  ["https://example.com/schema.ts", undefined],
  [join(folder, "extensions/tasks"), undefined],
])("%s is %s", async (location, id) => expect((await namedExtension(location, folder))?.id).toBe(id));

test.each([
  ["ui", { id: "extension-ambiguous", hint: "Pass one of their ids: io.modelcontextprotocol/ui, com.example/ui." }],
  ["task", { id: "extension-unknown", message: "mcpwright does not have the extension task" }],
  ["com.example/tasks", { id: "extension-unknown" }],
])("%s is rejected", async (location, diagnostic) => {
  await expect(namedExtension(location, folder)).rejects.toMatchObject({ diagnostics: [diagnostic] });
});

test("names of other things mean no extension where they are possible", async () => {
  const named = ["2026-07-28", "schema.ts", "task", "tasks"].map(
    async (name) => (await extensionNamed(name, folder))?.id,
  );
  expect(await Promise.all(named)).toEqual([undefined, undefined, undefined, "io.modelcontextprotocol/tasks"]);
  await expect(extensionNamed("com.example/tasks", folder)).rejects.toMatchObject({
    diagnostics: [{ id: "extension-unknown" }],
  });
});
