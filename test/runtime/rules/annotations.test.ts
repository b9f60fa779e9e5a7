import { expect, test } from "vitest";
import { type AnnotatedItem, selectByAnnotations } from "../../../runtime/src/client.js";

const items: readonly (AnnotatedItem & { readonly name: string })[] = [
  { name: "plain" },
  { name: "old", annotations: { priority: 0.5, lastModified: "2025-01-01T00:00:00Z" } },
  { name: "new", annotations: { priority: 0.5, lastModified: "2026-01-01T00:00:00Z" } },
  { name: "model", annotations: { audience: ["assistant"], priority: 1 } },
  { name: "user", annotations: { audience: ["user"], priority: 0.1, lastModified: "someday" } },
  { name: "nobody", annotations: { audience: [] } },
];

test.each([
  ["all, by priority and then by date", {}, ["model", "new", "old", "user", "plain", "nobody"]],
  ["for the user", { audience: "user" as const }, ["new", "old", "user", "plain"]],
  ["for the assistant", { audience: "assistant" as const }, ["model", "new", "old", "plain"]],
  ["important ones", { minPriority: 0.5 }, ["model", "new", "old", "plain", "nobody"]],
])("items are selected: %s", (_name, filter, names) => {
  expect(selectByAnnotations(items, filter).map(({ name }) => name)).toEqual(names);
});

test("the list itself keeps its order", () => {
  const list = [...items];
  selectByAnnotations(list);
  expect(list).toEqual(items);
});
