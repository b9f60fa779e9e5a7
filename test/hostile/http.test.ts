import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HostileHttp, serveHostile, type Wire } from "./http-subject.js";
import { type HttpReply, type HttpRow, httpRows, type Ids } from "./http-table.js";
import { pattern } from "./pattern.js";
import { MARKER } from "./subject.js";

let subject: HostileHttp;
let ids: Ids;
let bystander: { readonly headers: Record<string, string>; readonly seen: () => string; readonly leave: () => void };

const say = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "say" } };

/** The id of the first event of a response that is a stream. */
async function firstEvent(user: string, headers: object): Promise<string> {
  const answer = await (await subject.post(user, say, headers)).text();
  return /^id: (.+)$/m.exec(answer)?.[1] ?? "";
}

/** A client of another user that keeps a stream open. */
async function watch(): Promise<typeof bystander> {
  const headers = await subject.open("bystander");
  const leaving = new AbortController();
  const stream = await fetch(subject.url, {
    headers: { ...headers, accept: "text/event-stream", "x-user": "bystander" },
    signal: leaving.signal,
  });
  let seen = "";
  void (async () => {
    for await (const chunk of stream.body ?? []) seen += Buffer.from(chunk).toString();
  })().catch(() => undefined);
  return { headers, seen: () => seen.replaceAll(/^(:|id: .*|data: |)\n/gm, ""), leave: () => leaving.abort() };
}

beforeAll(async () => {
  subject = await serveHostile();
  const [own, foreign] = [await subject.open("ada"), await subject.open("eve")];
  const evicted = await firstEvent("ada", own);
  for (let times = 0; times < 120; times++) await firstEvent("ada", own);
  const foreignEvent = await firstEvent("eve", foreign);
  ids = { session: own["mcp-session-id"] ?? "", foreign: foreign["mcp-session-id"] ?? "", foreignEvent, evicted };
  expect(Object.values(ids).every((id: string) => id.length > 30)).toBe(true);
  bystander = await watch();
});

afterAll(async () => {
  bystander.leave();
  await subject.close();
});

async function until(done: () => boolean): Promise<void> {
  for (let turns = 0; !done() && turns < 1_000; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
}

function holds(received: Wire["answers"][number] | undefined, { status, code, message, result }: HttpReply): void {
  expect(received?.status).toBe(status);
  if (code === undefined && result === undefined) return expect(received?.body).toBe("");
  const parsed = JSON.parse(received?.body ?? "") as { error?: object; result?: object };
  if (result === undefined)
    expect(parsed.error).toMatchObject({ code, message: expect.stringMatching(pattern(message ?? "")) as unknown });
  else expect(JSON.stringify(parsed.result)).toMatch(pattern(result));
}

async function play({ send, replies }: HttpRow): Promise<void> {
  const connections = subject.server.server.connections.size;
  const wire = subject.wire();
  for (const bytes of send(ids)) wire.write(bytes);
  await until(
    () => wire.answers.length >= Math.max(1, replies.length) || (replies.length === 0 && wire.socket.bytesWritten > 0),
  );
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setTimeout(resolve, 1));
  const received = wire.answers;
  expect(received.map(({ status }) => status)).toEqual(replies.map(({ status }) => status));
  for (const [index, reply] of replies.entries()) holds(received[index], reply);
  expect(wire.text).not.toMatch(new RegExp(`${MARKER}|${process.cwd()}|node:internal`));
  wire.close();
  expect(subject.server.server.connections.size).toBe(connections);
  // The process runs, and another client is not affected.
  const alive = await subject.post("bystander", { jsonrpc: "2.0", id: "alive", method: "ping" }, bystander.headers);
  expect(await alive.json()).toEqual({ jsonrpc: "2.0", id: "alive", result: {} });
  expect(bystander.seen()).toBe("");
}

describe.each([...new Set(httpRows.map(({ group }) => group))])("%s", (group) => {
  test.each(httpRows.filter((row) => row.group === group))("$input", play);
});
