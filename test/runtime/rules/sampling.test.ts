import { describe, expect, test } from "vitest";
import { checkSamplingMessages, contentBlocks, type SamplingTurn } from "../../../runtime/src/rules/sampling.js";

const text = { type: "text", text: "hello" };
const use = (id: string): object => ({ type: "tool_use", id, name: "weather", input: {} });
const result = (toolUseId: string): object => ({ type: "tool_result", toolUseId, content: [] });
const user = (...blocks: object[]): SamplingTurn => ({ role: "user", content: blocks });
const assistant = (...blocks: object[]): SamplingTurn => ({ role: "assistant", content: blocks });

const balanced: readonly [string, readonly SamplingTurn[]][] = [
  ["no messages", []],
  [
    "no tools",
    [
      { role: "user", content: text },
      { role: "assistant", content: text },
    ],
  ],
  [
    "a result for each use",
    [user(text), assistant(text, use("1"), use("2")), user(result("1"), result("2")), assistant(text)],
  ],
  ["results in another order", [assistant(use("1"), use("2")), user(result("2"), result("1"))]],
  [
    "single blocks",
    [
      { role: "assistant", content: use("1") },
      { role: "user", content: result("1") },
    ],
  ],
  ["an id that a later turn repeats", [assistant(use("1")), user(result("1")), assistant(use("1")), user(result("1"))]],
  ["values that are not content blocks", [{ role: "user", content: [null, 1, []] }]],
];
test.each(balanced)("balanced: %s", (_, messages) => expect(checkSamplingMessages(messages)).toBeUndefined());

const missing = "Tool result missing in request";
const mixed = "Tool results mixed with other content";
const unknown = "Tool result without a tool use right before it";
const refused: readonly [string, readonly SamplingTurn[], string][] = [
  ["one result missing", [assistant(use("1"), use("2")), user(result("1"))], missing],
  ["no message after the use", [user(text), assistant(use("1"))], missing],
  ["an empty message after the use", [assistant(use("1")), user()], missing],
  ["another message before the result", [assistant(use("1")), user(text), user(result("1"))], missing],
  ["results in two messages", [assistant(use("1"), use("2")), user(result("1")), user(result("2"))], missing],
  ["a result among text", [assistant(use("1")), user(text, result("1"))], mixed],
  ["use and result in one message", [assistant(use("1"), result("1"))], mixed],
  [
    "a result by the assistant",
    [assistant(use("1")), assistant(result("1"))],
    "Tool result in a message that is not the user's",
  ],
  ["a use by the user", [user(use("1")), user(result("1"))], "Tool use in a message that is not the assistant's"],
  ["a result without a use", [user(result("1"))], unknown],
  ["a result of another use", [assistant(use("1")), user(result("2"))], unknown],
  [
    "a result of an earlier turn",
    [assistant(use("1")), user(result("1")), assistant(text), user(result("1"))],
    unknown,
  ],
  ["two results of one use", [assistant(use("1")), user(result("1"), result("1"))], unknown],
  [
    "two uses with one id",
    [assistant(use("1"), use("1")), user(result("1"), result("1"))],
    "Tool uses of one message share an id",
  ],
];
test.each(refused)("rejected: %s", (_, messages, sentence) => expect(checkSamplingMessages(messages)).toBe(sentence));

describe("content blocks", () => {
  const rows: readonly [string, unknown, unknown][] = [
    ["one block", text, [text]],
    ["a list", [text, text], [text, text]],
    ["an empty list", [], []],
  ];
  test.each(rows)("%s", (_, content, blocks) => expect(contentBlocks(content)).toEqual(blocks));
});
