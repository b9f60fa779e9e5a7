import { describe, expect, test } from "vitest";
import { Client } from "../../runtime/src/client.js";
import { InMemoryTransport } from "../../runtime/src/index.js";
import { ajvValidator } from "../../runtime/src/json-schema.js";
import { type Asked, type ClientOpening, type ClientRow, clientRows, openingRows } from "./client-table.js";
import { pattern } from "./pattern.js";

const capabilities = { tools: {}, resources: { subscribe: true } };
const serverInfo = { name: "scripted", version: "1" };

/** A server that opens connections correctly, and responds to other requests with `answer`. */
async function scripted(answer: (asked: Asked) => readonly unknown[]) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const sent: string[] = [];
  near.onmessage = (value) => {
    const message = value as Asked & { result?: unknown; error?: unknown };
    if (!("id" in message) || message.result !== undefined || message.error !== undefined) {
      if (!/^notifications.(initialized|cancelled)$/.test(message.method)) sent.push(JSON.stringify(message));
      return;
    }
    // Any value crosses as its JSON text.
    for (const one of answer(message)) near.send({ toJSON: () => one } as never);
  };
  await near.start();
  return { near, far, sent };
}

function opening({ id, method, params }: Asked): object | undefined {
  if (method === "initialize")
    return { jsonrpc: "2.0", id, result: { protocolVersion: params?.["protocolVersion"], capabilities, serverInfo } };
  if (method === "ping") return { jsonrpc: "2.0", id, result: {} };
  const supportedVersions = ["2026-07-28"];
  const result = { supportedVersions, capabilities, resultType: "complete", ttlMs: 0, cacheScope: "private" };
  return method === "server/discover" ? { jsonrpc: "2.0", id, result } : undefined;
}

function client(reports: string[]): Client {
  const made = new Client(
    { name: "subject", version: "1" },
    {
      capabilities: { elicitation: {} },
      timeoutMs: 5_000,
      jsonSchemaValidator: ajvValidator(),
      onerror: ({ message }) => void reports.push(message),
      onInvalidItem: (item, method) => {
        if (item === "throw") throw new Error("the hook is broken");
        reports.push(`invalid item of ${method}: ${JSON.stringify(item)}`);
      },
    },
  );
  made.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  return made;
}

async function play(row: ClientRow, revision: ClientOpening): Promise<void> {
  const reports: string[] = [];
  const { far, sent } = await scripted((asked) => {
    const opens = opening(asked);
    return opens ? [opens] : row.answer(asked);
  });
  const subject = client(reports);
  try {
    await subject.connect(far, { era: revision === "2026-07-28" ? "stateless" : "handshake" });
    expect(subject.getNegotiatedProtocolVersion()).toBe(revision);
    const came = await row.call(subject).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    const { outcome } = row;
    if ("code" in outcome)
      expect(came).toMatchObject({
        error: { code: outcome.code, message: expect.stringMatching(pattern(outcome.message)) as unknown },
      });
    else if ("count" in outcome)
      expect((came as { value?: { tools?: unknown[] } }).value?.tools).toHaveLength(outcome.count);
    else expect(JSON.stringify((came as { value?: unknown }).value)).toMatch(pattern(outcome.value));
    await new Promise((resolve) => setImmediate(resolve));
    if (row.reported === undefined) expect(reports).toStrictEqual([]);
    else expect(reports).toContainEqual(expect.stringMatching(pattern(row.reported)));
    expect(sent).toStrictEqual((row.sends ?? []).map((text) => expect.stringMatching(pattern(text)) as unknown));
    expect(await subject.isAlive(), "the connection stays open").toBe(true);
  } finally {
    await subject.close();
  }
}

describe.each([...new Set(clientRows.map(({ group }) => group))])("%s", (group) => {
  for (const row of clientRows.filter((one) => one.group === group))
    for (const revision of row.in) test(`${row.input}; ${revision}`, () => play(row, revision));
});

describe("Responses to initialize", () => {
  test.each(openingRows)("$input", async ({ members, code, message }) => {
    const { near, far } = await scripted(({ id }) => [{ jsonrpc: "2.0", id, ...members }]);
    let closed = false;
    near.onclose = () => (closed = true);
    await expect(client([]).connect(far, { era: "handshake" })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(pattern(message)) as unknown,
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed, "the client closes the connection").toBe(true);
  });
});
