import { expect, test } from "vitest";
import { checkEntry } from "../../../../generator/commands/validate/check-message.js";
import { createConversationState } from "../../../../generator/commands/validate/conversation-state.js";
import { FindingCollector } from "../../../../generator/commands/validate/finding-collector.js";
import { loadFactsWithExtensions } from "../../../../generator/commands/validate/published-extensions.js";

test("the messages of the package's extensions are known and checked, in the revisions that they are laid over", async () => {
  const facts = await loadFactsWithExtensions("2026-07-28");
  expect(facts.extensions).toEqual(["io.modelcontextprotocol/skills", "io.modelcontextprotocol/tasks"]);
  const findings = new FindingCollector();
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "a", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tasks/get", params: { taskId: 7, _meta } };
  checkEntry({ line: 1, from: "client", message }, createConversationState(), facts, findings);
  expect(findings.kept.map(({ rule, path, message: text }) => [rule, path, text])).toEqual([
    ["params", "$.params.taskId", "expected a string, received 7"],
  ]);
});

test("older revisions have no extensions", async () => {
  expect((await loadFactsWithExtensions("2025-06-18")).extensions).toEqual([]);
});
