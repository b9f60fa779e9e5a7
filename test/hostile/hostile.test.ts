import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pattern } from "./pattern.js";
import { connectRaw, hostileHandlers, MARKER, type RawPeer, type TransportName } from "./subject.js";
import { ABSENT, type Case, type Opening, type Reply, type Row, rows, type Sent } from "./table.js";

const STATELESS = "2026-07-28";
const CLAIM = {
  "io.modelcontextprotocol/protocolVersion": STATELESS,
  "io.modelcontextprotocol/clientCapabilities": { elicitation: {} },
};

interface Received {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: unknown; readonly message: string; readonly data?: unknown };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function until(done: () => boolean): Promise<void> {
  for (let turns = 0; !done() && turns < 20_000; turns++) await turn();
}

/** Opens a session, unless every request states its revision. */
async function open(peer: RawPeer, opening: Opening): Promise<void> {
  if (opening === "unopened" || opening === STATELESS) return;
  const params = { protocolVersion: opening, capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  peer.send({ jsonrpc: "2.0", id: "open", method: "initialize", params });
  await until(() => peer.texts.length > 0);
  expect(peer.texts.shift()).toContain(`"protocolVersion":"${opening}"`);
  peer.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await turn();
}

function claimed(message: unknown, opening: Opening): unknown {
  if (opening !== STATELESS || typeof message !== "object" || message === null || !("id" in message)) return message;
  const { params = {} } = message as { params?: object };
  return { ...message, params: { ...params, _meta: { ...CLAIM, ...(params as { _meta?: object })._meta } } };
}

function sendOne(peer: RawPeer, sent: Sent, opening: Opening, state: string, id: number): void {
  if ("json" in sent) peer.send(sent.bare ? sent.json : claimed(sent.json, opening));
  else if ("raw" in sent)
    for (const bytes of sent.raw(opening === STATELESS ? `"_meta":${JSON.stringify(CLAIM)},` : '"_meta":{},'))
      peer.write(bytes);
  else peer.send(claimed({ jsonrpc: "2.0", id, method: "tools/call", params: sent.retry(state) }, opening));
}

/** Sends a valid request, and expects its response. */
async function probe(peer: RawPeer, opening: Opening): Promise<void> {
  const method = opening === STATELESS ? "server/discover" : "ping";
  peer.send(claimed({ jsonrpc: "2.0", id: "probe", method }, opening));
  await until(() => peer.texts.some((text) => text.includes('"id":"probe"')));
  const index = peer.texts.findIndex((text) => text.includes('"id":"probe"'));
  expect(index, "the next request gets a response").toBeGreaterThanOrEqual(0);
  expect(peer.texts.splice(index, 1)[0]).toContain('"result"');
}

function holds(received: Received | undefined, reply: Reply): void {
  const { id, result, error } = received ?? {};
  expect("id" in (received ?? {}) ? id : ABSENT).toStrictEqual(reply.id);
  if ("result" in reply) {
    expect(error).toBeUndefined();
    expect(JSON.stringify(result)).toMatch(pattern(reply.result));
  } else {
    expect(result).toBeUndefined();
    expect(error).toMatchObject({
      code: reply.code,
      message: expect.stringMatching(pattern(reply.message)) as unknown,
    });
    if (reply.data !== undefined) expect(error?.data).toStrictEqual(reply.data);
  }
}

function noSecrets(texts: readonly string[]): void {
  for (const text of texts) {
    expect(text).not.toContain(MARKER);
    expect(text).not.toContain(process.cwd());
    expect(text).not.toMatch(/node:internal|\\n +at /);
  }
}

const usual = hostileHandlers();
let bystander: RawPeer;

beforeAll(async () => {
  bystander = await connectRaw(usual.server, "stdio");
  await open(bystander, "2025-11-25");
});
afterAll(() => bystander.close());

async function play(
  row: Row,
  { in: _in, ...expected }: Case,
  opening: Opening,
  transport: TransportName,
): Promise<void> {
  const { stateTtlMs, maxDepth } = row.options ?? {};
  const { server, reports } = stateTtlMs === undefined ? usual : hostileHandlers({ stateTtlMs });
  reports.length = 0;
  const peer = await connectRaw(server, transport, maxDepth === undefined ? {} : { maxDepth });
  const seen: string[] = [];
  try {
    await open(peer, opening);
    const { replies, together, reported } = expected;
    const flat = (): Received[] => peer.texts.flatMap((text) => JSON.parse(text) as Received | Received[]);
    let state = "";
    for (const [index, sent] of row.send.entries()) {
      if ("retry" in sent) await until(() => flat().length >= index);
      const last = flat().at(-1)?.result?.["requestState"];
      if (typeof last === "string") state = last;
      sendOne(peer, sent, opening, state, 7 + index);
    }
    await until(() => flat().length >= replies.length);
    await probe(peer, opening);
    for (let turns = 0; turns < 5; turns++) await turn();
    seen.push(...peer.texts);
    const received = flat();
    expect(received).toHaveLength(replies.length);
    const byId = new Map(received.map((one) => [one.id, one]));
    for (const reply of replies) holds(byId.get(reply.id === ABSENT ? undefined : reply.id), reply);
    if (replies.length > 0) expect(peer.texts.length === 1 && peer.texts[0]?.startsWith("[")).toBe(together ?? false);
    const messages = reports.map(({ message }) => message);
    // Errors without an id are always reported.
    const unaddressed = replies.find((reply) => "message" in reply && reply.id === ABSENT) as
      { message: string } | undefined;
    const wanted = reported ?? unaddressed?.message;
    if (wanted === undefined) expect(messages).toStrictEqual([]);
    else expect(messages).toContainEqual(expect.stringMatching(pattern(wanted.endsWith("…") ? wanted : `${wanted}…`)));
  } finally {
    await peer.close();
  }
  noSecrets(seen);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect(bystander.texts).toStrictEqual([]);
  await probe(bystander, "2025-11-25");
}

describe.each([...new Set(rows.map(({ group }) => group))])("%s", (group) => {
  for (const row of rows.filter((one) => one.group === group)) {
    const onStreams = row.send.some((sent) => "raw" in sent);
    for (const one of row.cases)
      for (const opening of one.in)
        for (const transport of onStreams ? (["stdio"] as const) : (["in-memory", "stdio"] as const))
          test(`${row.input}; ${opening}, ${transport}`, () => play(row, one, opening, transport));
  }
});
