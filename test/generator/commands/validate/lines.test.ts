import { describe, expect, test } from "vitest";
import { printReport } from "../../../../generator/commands/validate/print-report.js";
import { readLines } from "../../../../generator/commands/validate/read-lines.js";
import { validateConversation } from "../../../../generator/commands/validate/validate-conversation.js";
import { R4, R5 } from "../../../conversations/messages.js";
import { bytesOf, validated, shown } from "./record.js";

const ping = '{"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping"}}';
const pong = '{"from":"server","message":{"jsonrpc":"2.0","id":1,"result":{}}}';

const found = async (text: string | Uint8Array, revision: string | undefined = R4): Promise<readonly string[]> =>
  shown(await validateConversation(bytesOf(text), revision));

describe("lines", () => {
  test.each<[string, string | Uint8Array, ...string[]]>([
    ["none", "", "1 warning[record-empty] $: there is no message in it"],
    ["blank ones alone", "\n \r\n", "1 warning[record-empty] $: there is no message in it"],
    ["blank ones", `\n \r\n${ping}\r\n\n${pong}`],
    ["a byte order mark", `\ufeff${ping}\n${pong}\n`],
    ["no JSON", `${ping}\n{"from": \n${pong}\n`, "2 error[line-malformed] $: the line is not valid JSON: "],
    ["a cut line", `${ping}\n${pong}\n${ping.slice(0, 30)}`, "3 error[line-malformed] $: the line is not valid JSON: "],
    ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22, 10]), "1 error[line-malformed] $: the line is not valid UTF-8"],
    ["a list", "[]", "1 error[line-form] $: the line is not an object: expected a line such as "],
    ["null", "null", "1 error[line-form] $: the line is not an object: expected a line such as "],
    [
      "a bare message",
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      "1 error[line-form] $: the line is a message, and does not say who sent it: ",
    ],
    [
      "a third side",
      '{"from":"proxy","message":{}}',
      '1 error[line-form] $.from: "from" is neither "client" nor "server": ',
    ],
    ["no message", '{"from":"client"}', '1 error[line-form] $.message: there is no "message": '],
    [
      "an inherited message",
      '{"from":"client","__proto__":{"message":{}}}',
      '1 error[line-form] $.message: there is no "message": ',
    ],
    [
      "a time that is none",
      `{"at":"noon",${ping.slice(1)}\n${pong}\n`,
      '1 error[line-form] $.at: "at" is not a number of milliseconds',
    ],
  ])("%s", async (_, text, ...expected) => {
    const lines = await found(text);
    expect(lines).toHaveLength(expected.length);
    expected.forEach((start, index) => expect(lines[index]?.slice(0, start.length)).toBe(start));
  });

  test.each([R4, "2025-06-18"])("a cancellation of nothing, in %s", async (revision) => {
    const line = '{"from":"client","message":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}}';
    const rule = revision === R4 ? "cancel-unknown] $.params: it does not say which" : "params] $.params.requestId: ";
    expect((await found(line, revision)).filter((one) => !one.includes("lifecycle"))).toEqual([
      expect.stringContaining(`1 error[${rule}`) as string,
    ]);
  });

  test("one that is too long is left out, and the next one is read", async () => {
    const lines = [];
    for await (const line of readLines(bytesOf(`${"x".repeat(50)}\nshort\n${"y".repeat(10)}`, 4), 10)) lines.push(line);
    expect(lines).toEqual([
      { number: 1, problem: "too long" },
      { number: 2, text: "short" },
      { number: 3, text: "y".repeat(10) },
    ]);
  });

  test("of 64 MiB and more", async () => {
    async function* huge(): AsyncGenerator<Uint8Array> {
      const piece = new Uint8Array(1024 * 1024).fill(0x20);
      for (let count = 0; count <= 64; count++) yield await Promise.resolve(piece);
      yield new TextEncoder().encode(`\n${ping}\n${pong}\n`);
    }
    const report = await validateConversation(huge(), R4);
    expect(shown(report)).toEqual(["1 error[line-too-long] $: the line is longer than 64 MiB, and was left out"]);
    expect(report.messages).toBe(2);
  });

  test("a message of many megabytes", async () => {
    const text = JSON.stringify({
      from: "server",
      message: { jsonrpc: "2.0", id: 1, result: { more: "x".repeat(8e6) } },
    });
    expect(shown(await validateConversation(bytesOf(`${ping}\n${text}\n`, 65_536), R4))).toEqual([]);
  });

  test("a message that is deep", async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const lines = await found(
      `{"from":"client","message":{"jsonrpc":"2.0","id":1,"method":"ping","params":${deep}}}\n${pong}\n`,
    );
    expect(lines.every((line) => line.startsWith("1 error[params] $.params"))).toBe(true);
  });

  test("no more than a thousand findings are kept, and all are counted", async () => {
    const report = await validateConversation(bytesOf("x\n".repeat(1_500), 999), R4);
    expect(report.findings).toHaveLength(1_000);
    expect(report.counts).toEqual({ error: 1_500, warning: 0, note: 0 });
    expect(printReport(report, "talk.jsonl")).toMatch(
      /\nand 500 more\n0 messages in no revision|\nand 500 more\n0 messages in 2025-11-25: 1500 errors/,
    );
  });
});

test("nothing that a terminal would obey is printed", async () => {
  const evil = "\u001b[2J\u0007\u202egnp\u0000\n";
  const report = await validated(
    [
      { "->": { id: evil, method: evil, params: { [evil]: evil } } },
      { "->": { id: 1, method: "tools/call", params: { name: [evil], _meta: { progressToken: evil } } } },
      { "<-": { id: evil, error: { code: 1, message: evil } } },
      { "<-": { id: evil, result: {} } },
      { "<-": { [evil]: 1 } },
      { "<-": { method: "notifications/progress", params: { progressToken: evil, progress: 1 } } },
    ],
    R4,
  );
  const printed = `${printReport(report, `${evil}.jsonl`)}${report.findings.map(({ path, message }) => path + message).join("")}`;
  expect(report.findings.length).toBeGreaterThan(4);
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
});

describe("the revision", () => {
  const line = (from: string, message: object): string =>
    `${JSON.stringify({ from, message: { jsonrpc: "2.0", ...message } })}\n`;
  const opening = (version: unknown): string =>
    line("client", {
      id: 0,
      method: "initialize",
      params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "c", version: "1" } },
    });
  const opened = (version: unknown): string =>
    line("server", {
      id: 0,
      result: { protocolVersion: version, capabilities: {}, serverInfo: { name: "s", version: "1" } },
    });
  const discover = (version: string): string =>
    line("client", {
      id: 1,
      method: "server/discover",
      params: {
        _meta: { "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {} },
      },
    });
  const discovered = line("server", {
    id: 1,
    result: { resultType: "complete", supportedVersions: [R5], capabilities: {}, ttlMs: 0, cacheScope: "private" },
  });

  test.each<[string, string, string]>([
    ["that the server has chosen", opening("2024-11-05") + opened(R4), R4],
    ["that was asked for", opening("2025-06-18"), "2025-06-18"],
    ["that a request says", discover(R5), R5],
    ["that was answered", discover(R5) + discovered, R5],
    [
      "after one that was refused",
      discover(R5) + line("server", { id: 1, error: { code: -32601, message: "" } }) + opening(R4) + opened(R4),
      R4,
    ],
  ])("is the one %s", async (_, text, expected) => {
    expect((await validateConversation(bytesOf(text), undefined)).revision).toBe(expected);
  });

  test.each<[string, string, string | undefined, string]>([
    ["is not told", `${ping}\n${pong}\n`, undefined, "conversation-revision-untold"],
    ["is not known", opening("1999-01-01"), undefined, "revision-unknown"],
    ["is told with controls", opening("\u001b[2J"), undefined, "revision-unknown"],
    ["is a path", ping, "../2025-11-25", "revision-unknown"],
  ])("%s", async (_, text, revision, id) => {
    const failure = validateConversation(bytesOf(text), revision);
    await expect(failure).rejects.toMatchObject({ diagnostics: [{ id }] });
    await expect(failure).rejects.not.toThrow("\u001b");
  });
});
