import { findClientIssues } from "@mcpwright/protocol/client-issues";
import { tasksExtension } from "@mcpwright/protocol/extensions/tasks";
import { findTasksIssues } from "@mcpwright/protocol/extensions/tasks/issues";
import { joinIssues } from "@mcpwright/protocol/layer-extension";
import { findServerIssues } from "@mcpwright/protocol/server-issues";
import { describe, expect, test } from "vitest";
import { tasks } from "../../../runtime/src/tasks.js";
import { connectClient, modern, R5, serve } from "../connection/connection-ends.js";
import { result } from "../connection/wire.js";

const capabilities = { extensions: { [tasksExtension.id]: {} } };

describe.each([
  ["the generated value", tasksExtension],
  ["the extension of the runtime", tasks()],
])("a server with %s", (_, extension) => {
  const ask = async (method: string, params: object, options: object) => {
    const { wire } = await serve(
      { extensions: [extension], ...options },
      { "tools/call": () => ({ content: [] }), ...(extension === tasksExtension && { "tasks/get": () => ({}) }) },
    );
    return wire.ask(1, method, modern(params, capabilities));
  };

  test("names the members of the extension's params when its issues are joined to those of the revisions", async () => {
    const findIssues = joinIssues(findServerIssues, findTasksIssues);
    expect(await ask("tasks/get", { taskId: 5 }, { findIssues })).toMatchObject({
      error: {
        code: -32602,
        message: "Invalid params of tasks/get: /taskId must be a string, got a number",
        data: { issues: [{ path: "/taskId", expected: "a string", received: "a number" }] },
      },
    });
    expect(await ask("tools/call", { name: 5 }, { findIssues })).toMatchObject({
      error: { message: "Invalid params of tools/call: /name must be a string, got a number" },
    });
  });

  test.each<[what: string, options: object]>([
    ["without the option", {}],
    ["with the issues of the revisions only", { findIssues: findServerIssues }],
    ["with no issues", { findIssues: joinIssues() }],
  ])("rejects the params %s, too", async (_what, options) => {
    expect(await ask("tasks/get", { taskId: 5 }, options)).toMatchObject({
      error: { code: -32602, message: "Invalid params of tasks/get: they do not match the schema" },
    });
  });
});

test("a client names the members of results and notifications of the extension", async () => {
  const { client, wire, errors } = await connectClient(
    R5,
    { extensions: [tasksExtension], findIssues: joinIssues(findClientIssues, findTasksIssues) },
    capabilities,
  );
  const asked = client.request("tasks/get" as never, { taskId: "t" } as never);
  const { id = "" } = await wire.next();
  wire.receive(result(id, { resultType: "complete", taskId: 1, status: "working" }));
  await expect(asked).rejects.toThrow("/taskId must be a string, got a number");
  wire.receive({ jsonrpc: "2.0", method: "notifications/tasks", params: { taskId: "t", status: "secret" } });
  expect(errors.map(({ message }) => message).join()).toContain("/status must be");
  await client.close();
});
