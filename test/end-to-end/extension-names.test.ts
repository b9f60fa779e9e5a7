/** Verbs take the short name of an extension in place of its id. */
import { expect, test } from "vitest";
import { compareSchema, diff, explain } from "../../generator/index.js";

const id = "io.modelcontextprotocol/tasks";
test.each<[verb: string, run: (name: string) => Promise<unknown>]>([
  ["explain", (revision) => explain({ name: "Task", revision })],
  ["diff", (before) => diff({ before, after: "2026-07-28" })],
  ["compareSchema", (extension) => compareSchema({ extension, schema: "schema/extensions/tasks/draft/schema.ts" })],
])("%s takes the short name of an extension in place of its id", async (_, run) => {
  const byId = await run(id);
  expect(JSON.stringify(byId)).toContain(id);
  expect(await run("tasks")).toEqual(byId);
});

test("a type that the extension does not have is an error with those that have it", async () => {
  await expect(explain({ name: "Tool", revision: "tasks" })).rejects.toMatchObject({
    diagnostics: [{ id: "name-not-in-revision", message: `Tool is not in ${id}` }],
  });
});
