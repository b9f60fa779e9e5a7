/** Extensions of the package by id and by short name. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { namedExtension } from "../../../../generator/shared/sources/extension-folder.js";
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
