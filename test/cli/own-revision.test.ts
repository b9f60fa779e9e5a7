/** `explain` and `validate` with a revision that mcpwright does not know. */
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { generate } from "../../generator/pipeline/generate.js";
import { put, sandbox } from "../generator/shared/files/sandbox.js";
import { unseen, unseenText } from "../generator/commands/vendor/upstream.js";
import { cli } from "./command-line.js";

const folder = sandbox();
const schema = join(folder, "schema.ts");
const generated = join(folder, "out", unseen);
const meta = {
  "io.modelcontextprotocol/protocolVersion": unseen,
  "io.modelcontextprotocol/clientInfo": { name: "c", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const greet = (id: number, params: object) =>
  JSON.stringify({ from: "client", message: { jsonrpc: "2.0", id, method: "greetings/greet", params } });
const greeted = (id: number, words: unknown) =>
  JSON.stringify({ from: "server", message: { jsonrpc: "2.0", id, result: { resultType: "complete", words } } });

beforeAll(async () => {
  put(folder, {
    "schema.ts": unseenText,
    "good.jsonl": `${greet(1, { whom: "you", _meta: meta })}\n${greeted(1, "hello")}\n`,
    "bad.jsonl": `${greet(1, { whom: 5, _meta: meta })}\n${greeted(1, 5)}\n`,
  });
  await generate({ schema, out: join(folder, "out"), only: ["model"] });
}, 60_000);

test.each([
  ["its schema", schema],
  ["its generated folder", generated],
])("explain describes a method of a revision of one's own, from %s", async (_, path) => {
  const { code, out } = await cli("explain", "greetings/greet", "--schema", path);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining(`greetings/greet  (method, ${unseen})`) as string }); // prettier-ignore
  expect(out).toContain(`- 2026-07-28\n  + ${unseen}`);
});

test("explain adds the changes of a revision of one's own to the history of a known name", async () => {
  const { out } = await cli("explain", "ClientRequest", "--schema", schema);
  expect(out).toContain(`From 2026-07-28 to ${unseen}`);
  expect((await cli("explain", "Tool", "--schema", schema, "--revision", "2020-01-01")).err).toContain(unseen);
});

test.each([
  ["its schema", schema],
  ["its generated folder", generated],
])("validate checks a conversation against a revision of one's own, from %s", async (_, path) => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("mcpwright-validate-"));
  const good = await cli("validate", join(folder, "good.jsonl"), "--schema", path);
  expect(good).toMatchObject({ code: 0, out: expect.stringContaining(`2 messages in ${unseen}: 0 errors`) as string });
  const bad = await cli("validate", join(folder, "bad.jsonl"), "--schema", path);
  expect(bad.code).toBe(1);
  expect(bad.out).toContain("error[params]: $.params.whom: expected a string, received 5");
  expect(bad.out).toContain("error[result]: $.result.words: expected a string, received 5");
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("mcpwright-validate-"))).toEqual(before);
});

test("a revision that mcpwright does not know leads to the option that takes its schema", async () => {
  const { code, err } = await cli("validate", join(folder, "good.jsonl"));
  expect(code).toBe(2);
  expect(err).toContain("validate with --schema");
  const other = await cli("validate", join(folder, "good.jsonl"), "--schema", schema, "--revision", "2020-01-01");
  expect(other.err).toContain(`unknown revision 2020-01-01; known revisions: ${unseen}`);
});
