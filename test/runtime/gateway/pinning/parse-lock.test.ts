import { describe, expect, test } from "vitest";
import { formatLock, lockOf } from "../../../../runtime/src/gateway/pinning/gateway-lock.js";
import { parseLock } from "../../../../runtime/src/gateway/pinning/parse-lock.js";

const lock = await lockOf(
  new Map([
    ["mail", { instructions: "Ask first.", tools: [{ name: "send", inputSchema: { type: "object" as const } }] }],
  ]),
);
const text = formatLock(lock);
const [instructions, send] = lock.servers[0]?.items ?? [];
const digest = send?.digest ?? "";
const withItems = (...items: unknown[]): string => JSON.stringify({ version: 1, servers: [{ name: "mail", items }] });

test("reads what was written", async () => {
  expect(await parseLock(text)).toEqual(lock);
});

test("reads a lock with other white space and order of members", async () => {
  const { version, servers } = lock;
  expect(await parseLock(JSON.stringify({ servers, version }))).toEqual(lock);
});

describe("rejects", () => {
  test.each([
    ["a text that is not JSON", "{", /^the lock is invalid: it is not JSON: .*; write it again$/],
    ["an empty text", "", /it is not JSON/],
    ["a merge conflict", `{\n<<<<<<< HEAD\n}`, /line 2 has a merge conflict/],
    ["another value", "[]", /it must be an object/],
    ["a lock without version", '{"servers":[]}', /it has no member "version"/],
    [
      "a later version",
      '{"version":2,"servers":[]}',
      /it has version 2, but version 1 is required; update mcpwright, or write it again$/,
    ],
    ["a version of another type", '{"version":"1","servers":[]}', /version must be the number 1/],
    ["an unknown member", '{"version":1,"servers":[],"a\u202eb":1}', /it has an unknown member "a\\u{202e}b"/],
    ["servers of another type", '{"version":1,"servers":{}}', /servers must be an array/],
    ["a server of another type", '{"version":1,"servers":[1]}', /servers\[0\] must be an object/],
    ["a server without items", '{"version":1,"servers":[{"name":"a"}]}', /servers\[0\] has no member "items"/],
    [
      "a name of another type",
      '{"version":1,"servers":[{"name":1,"items":[]}]}',
      /servers\[0\]\.name must be a string/,
    ],
    [
      "a server that is listed twice",
      '{"version":1,"servers":[{"name":"a","items":[]},{"name":"a","items":[]}]}',
      /server "a" is listed twice/,
    ],
    ["an item that is listed twice", withItems(send, send), /server "mail": tool "send" is listed twice/],
    [
      "an unknown kind",
      withItems({ ...send, kind: "skill" }),
      /items\[0\]\.kind must be one of instructions, tool, .*, not "skill"/,
    ],
    ["a digest of another type", withItems({ ...send, digest: 1 }), /items\[0\]\.digest must be a string/],
    [
      "a value that was changed",
      withItems(instructions, { ...send, value: { name: "send" } }),
      /the digest of tool "send" of server "mail" does not belong to its value, so the file was changed; review the server, and write it again$/,
    ],
    [
      "the digest of another item",
      withItems({ ...instructions, digest }),
      /the digest of instructions "" of server "mail"/,
    ],
    ["a member __proto__", '{"version":1,"servers":[],"__proto__":{}}', /unknown member "__proto__"/],
    [
      "a value that is too deep",
      withItems({ ...send, value: 0 }).replace('"value":0', `"value":${"[".repeat(2_000)}${"]".repeat(2_000)}`),
      /deeper than 1000 levels/,
    ],
  ])("%s", async (_, hostile, message) => {
    await expect(parseLock(hostile)).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: expect.stringMatching(message) as string,
    });
  });
});
