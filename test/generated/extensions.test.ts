import { Ajv2020 } from "ajv/dist/2020.js";
import {
  clientExtension,
  isCreateTaskResult,
  isGetTaskResult,
  isTask,
  serverExtension,
  tasksExtension,
} from "@mcpwright/protocol/extensions/tasks";
import { appRole, appsExtension, hostRole, isMcpUiHostContext, isMcpUiToolMeta } from "@mcpwright/protocol/extensions/apps";
import { findAppsIssues } from "@mcpwright/protocol/extensions/apps/issues";
import { findTasksIssues } from "@mcpwright/protocol/extensions/tasks/issues";
import type { Check } from "@mcpwright/protocol/issues";
import type { StandardSchema } from "@mcpwright/protocol/standard-schema";
import { clientSide, serverSide } from "@mcpwright/protocol/2026-07-28";
import { describe, expect, test } from "vitest";
import type { Corpus, CorpusChange } from "../../generator/pipeline/emit/corpus/corpus.js";
import { publishedExtensions, readGenerated } from "../support/protocol.js";

type Predicate = (value: unknown) => boolean;

describe.each(publishedExtensions)("the corpus of $name", ({ name, entry, issues, standardSchemas, model }) => {
  const corpus = readGenerated(`extensions/${name}/corpus.json`) as Corpus;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(readGenerated(`extensions/${name}/schema.json`) as object, "schema");

  test("types link to the specification of the extension, not to pages of the revision", () => {
    expect(model.definitions.filter(({ link }) => link !== model.specification)).toEqual([]);
  });

  test("contains every type of the extension, and no other", () => {
    expect(Object.keys(corpus.types)).toEqual(model.definitions.map((definition) => definition.name));
  });

  test("has the verdicts of the predicate, the check, the Standard Schema and JSON Schema", () => {
    const wrong: string[] = [];
    let checked = 0;
    for (const [type, { instances, changes }] of Object.entries(corpus.types)) {
      const is = entry[`is${type}`] as Predicate;
      const validate = ajv.getSchema(`schema#/$defs/${type}`) as Predicate;
      if (instances.length === 0) wrong.push(`${type} has no instance`);
      const explain = issues[`check${type}`] as Check;
      const { validate: parse } = (standardSchemas[`${type}Schema`] as StandardSchema<unknown>)["~standard"];
      const verdicts = (value: unknown): readonly boolean[] => [is(value), validate(value), explain(value).length === 0, !parse(value).issues];
      for (const value of instances) if (verdicts(value).includes(false)) wrong.push(`${type} ${JSON.stringify(value)}`);
      for (const change of changes) {
        const changed = apply(structuredClone(instances[change.of]), change);
        if (verdicts(changed).includes(!change.valid)) wrong.push(`${type} ${JSON.stringify(change)}`);
        checked++;
      }
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(checked).toBeGreaterThan(200);
  });
});

function apply(root: unknown, { path, ...change }: CorpusChange): unknown {
  const last = path.at(-1);
  if (last === undefined) return change.value;
  const holder = path.slice(0, -1).reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], root);
  const container = holder as Record<string | number, unknown>;
  if ("value" in change) container[last] = change.value;
  else Reflect.deleteProperty(container, last);
  return root;
}

const task = { taskId: "t", status: "working", createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z", ttlMs: null };

test.each<[value: object, asTask: boolean, asHandle: boolean, asState: boolean]>([
  [task, true, false, false],
  [{ ...task, resultType: "task" }, true, true, false],
  [{ ...task, resultType: "complete" }, true, false, true],
  [{ ...task, resultType: "complete", ttlMs: 1.5 }, false, false, false],
  [{ ...task, resultType: "complete", ttlMs: undefined }, false, false, false],
  [{ ...task, resultType: "complete", status: "completed" }, true, false, false],
  [{ ...task, resultType: "complete", status: "completed", result: {} }, true, false, true],
  [{ ...task, resultType: "complete", status: "failed", error: { code: -1, message: "m" } }, true, false, true],
  [{ ...task, resultType: "complete", status: "input_required", inputRequests: { a: { method: "roots/list" } } }, true, false, true],
  [{ ...task, resultType: "complete", status: "input_required", inputRequests: { a: { method: "tools/list" } } }, true, false, false],
])("%j as a task, as its handle and as its state", (value, ...expected) => {
  expect([isTask(value), isCreateTaskResult(value), isGetTaskResult(value)]).toEqual(expected);
});

test("the tasks extension adds its messages to a server, and its result to tools/call", () => {
  const [layered] = tasksExtension.layerOver([serverSide], (problem) => new Error(problem));
  expect(Object.keys(layered?.receives.requests ?? {}).filter((method) => method.startsWith("tasks/"))).toEqual([
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
  ]);
  expect(layered?.sends.notifications["notifications/tasks"]).toMatchObject({ extension: "io.modelcontextprotocol/tasks" });
  expect(tasksExtension.alternatives["tools/call"]?.["task"]?.result({ ...task, resultType: "task" })).toBe(true);
  expect(tasksExtension.filters["taskIds"]).toMatchObject({ method: "subscriptions/listen", notification: "notifications/tasks", key: "taskId" });
  expect([["a"], [], undefined, [1], "a"].map((value) => tasksExtension.filters["taskIds"]?.accepts(value))).toEqual([true, true, false, false, false]);
});

test.each([
  [serverExtension, serverSide, clientSide],
  [clientExtension, clientSide, serverSide],
])("the value for one side layers the same rows over it, and is refused by the other", (half, own, other) => {
  const toError = (problem: string): Error => new Error(problem);
  const rowsOf = (extension: typeof half) => {
    const [side] = extension.layerOver([own], toError);
    return [side?.receives.requests, side?.receives.notifications, side?.receives.results["tasks/get"], side?.sends];
  };
  const printed = (extension: typeof half): string => JSON.stringify(rowsOf(extension), (_, value: unknown) => (typeof value === "function" ? String(value) : value));
  expect(printed(half)).toBe(printed(tasksExtension));
  expect(printed(half)).toContain("io.modelcontextprotocol/tasks");
  expect(half[other.role].settings({})).toBe(true);
  expect(() => half.layerOver([other], toError)).toThrow(
    `this value of the extension io.modelcontextprotocol/tasks is not for a ${other.role}; pass another`,
  );
});

test("the predicates in the rows of a layered side have explanations", () => {
  const [server] = tasksExtension.layerOver([serverSide], (problem) => new Error(problem));
  const [client] = tasksExtension.layerOver([clientSide], (problem) => new Error(problem));
  const params = server?.receives.requests["tasks/get"]?.params ?? (() => true);
  const result = client?.receives.results["tasks/get"]?.result ?? (() => true);
  expect(findTasksIssues(serverSide, params, { _meta: 1, taskId: 2 })).toEqual([
    { path: ["_meta"], expected: "an object", received: "a number" },
    { path: ["taskId"], expected: "a string", received: "a number" },
  ]);
  expect(findTasksIssues(clientSide, result, { ...task, resultType: "complete", status: "secret" })[0]?.path).toEqual(["status"]);
  expect(findTasksIssues(serverSide, () => false, {})).toEqual([]);
  const toolResult = appRole.receives.notifications["ui/notifications/tool-result"]?.params ?? (() => true);
  expect(findAppsIssues(clientSide, toolResult, { resultType: "complete" })).toEqual([
    { path: ["content"], expected: "an array", received: "nothing" },
  ]);
});

test("the messages of apps are those of app and host: a client and a server only have the settings", () => {
  const { client, server } = appsExtension;
  for (const role of [client, server])
    expect(role).toMatchObject({ receives: { requests: {}, notifications: {}, results: {} }, sends: { notifications: {} } });
  expect([client.settings({ mimeTypes: ["text/html;profile=mcp-app"] }), client.settings({ mimeTypes: [1] })]).toEqual([true, false]);
  expect(Object.keys(hostRole.receives.requests)).toContain("ui/initialize");
  expect(Object.keys(appRole.receives.requests)).toEqual(["ui/resource-teardown"]);
  expect(appRole.receives.notifications["ui/notifications/tool-result"]?.params?.({ content: [], resultType: "complete" })).toBe(true);
});

test.each<[name: string, is: Predicate, value: unknown, expected: boolean]>([
  ["both heights", isMcpUiHostContext, { containerDimensions: { height: 1, maxWidth: 2 } }, true],
  ["no size", isMcpUiHostContext, { containerDimensions: {} }, true],
  ["a height that is not a number", isMcpUiHostContext, { containerDimensions: { height: "1", maxHeight: "2" } }, false],
  ["a variable", isMcpUiHostContext, { styles: { variables: { "--font-sans": "serif" } } }, true],
  ["a variable that is not a text", isMcpUiHostContext, { styles: { variables: { "--font-sans": 1 } } }, false],
  ["no csp", isMcpUiToolMeta, { resourceUri: "ui://x" }, true],
  ["csp, which belongs to the resource", isMcpUiToolMeta, { resourceUri: "ui://x", csp: {} }, false],
])("apps: %s", (_, is, value, expected) => {
  expect(is(value)).toBe(expected);
});
