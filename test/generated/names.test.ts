import { readFileSync } from "node:fs";
import * as names from "@mcpwright/protocol/names";
import { expect, test } from "vitest";
import { generatedPath, published, publishedExtensions } from "../support/protocol.js";

const values: readonly string[] = Object.values(names);

test("there is a constant for each method and each `_meta` key of all revisions and extensions, and no other", () => {
  const methods = published.flatMap(({ model }) =>
    [...model.requests, ...model.notifications, ...model.inputRequests].map(({ method }) => method),
  );
  const keys = published.flatMap(({ entry }) => Object.values((entry["META_KEYS"] ?? {}) as Record<string, string>));
  const ofExtensions = publishedExtensions.flatMap(({ model: { requests, notifications, metaKeys } }) => [
    ...[...requests, ...notifications].map(({ method }) => method),
    ...metaKeys,
  ]);
  expect(values.toSorted()).toEqual([...new Set([...methods, ...keys, ...ofExtensions])].sort());
});

test("each constant has a literal type", () => {
  const typed: readonly [
    "tools/call",
    "roots/list",
    "logging/setLevel",
    "sampling/createMessage",
    "notifications/tools/list_changed",
    "io.modelcontextprotocol/protocolVersion",
    "io.modelcontextprotocol/related-task",
    "traceparent",
  ] = [
    names.TOOLS_CALL,
    names.ROOTS_LIST,
    names.LOGGING_SET_LEVEL,
    names.SAMPLING_CREATE_MESSAGE,
    names.NOTIFICATIONS_TOOLS_LIST_CHANGED,
    names.META_PROTOCOL_VERSION,
    names.META_RELATED_TASK,
    names.META_TRACEPARENT,
  ];
  expect(values).toEqual(expect.arrayContaining([...typed]));
});

const all = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28";
const handshake = "2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25";

test.each([
  ["TOOLS_CALL", `Method in ${all}.`],
  ["INITIALIZE", `Method in ${handshake}.`],
  ["TASKS_GET", "Method in 2025-11-25, io.modelcontextprotocol/tasks."],
  ["UI_MESSAGE", "Method in io.modelcontextprotocol/ui."],
  ["ELICITATION_CREATE", "Method in 2025-06-18, 2025-11-25. Embedded in results in 2026-07-28."],
  ["META_RELATED_TASK", "Key of `_meta` in 2025-11-25."],
  ["META_LOG_LEVEL", "Key of `_meta` in 2026-07-28."],
])("%s: %s", (name, text) => {
  const declarations = readFileSync(generatedPath("dist/names.d.ts"), "utf8");
  expect(declarations).toContain(`/** ${text} */\nexport const ${name} = `);
});
