import { toError } from "../jsonrpc/error-conversion.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import type { Transport } from "../transport/transport.js";
import { same, sleep, until } from "./suite-checks.js";

/** Opens linked transports to test. */
export interface TransportHarness {
  /** The name of the transport in error messages. */
  readonly name: string;
  /**
   * Two linked ends that are not started; `a` can be started first. `breakB` makes `b` vanish without closing. Each
   * behaviour opens and closes its own pair.
   */
  open(): Promise<{ a: Transport; b: Transport; breakB?(): Promise<void> }>;
}

/** A behaviour that every transport must have. */
export interface TransportBehaviour {
  readonly name: string;
  /**
   * Tests the behaviour.
   * @throws Error with an explanation when the test fails
   */
  readonly run: (harness: TransportHarness) => Promise<void>;
}

/** How long to wait for events that must not happen, in milliseconds. */
const QUIET_MS = 30;

/** One end, with its recorded events. */
interface End {
  readonly name: "a" | "b";
  readonly transport: Transport;
  readonly received: unknown[];
  readonly errors: Error[];
  closed: number;
}

interface Pair {
  readonly a: End;
  readonly b: End;
  readonly breakB: (() => Promise<void>) | undefined;
}

/**
 * The requirements of `Transport` that every implementation must meet. Run each with your test framework:
 * `test.each(transportBehaviours)("$name", ({ run }) => run(harness))`.
 */
export const transportBehaviours: readonly TransportBehaviour[] = [
  behaviour("carries messages both ways", async ({ a, b }) => {
    const question: JSONRPCMessage = { jsonrpc: "2.0", id: "1", method: "test/question" };
    const answer: JSONRPCMessage = { jsonrpc: "2.0", id: "1", result: { to: "a" } };
    const asked = a.transport.send(question);
    await arrive(b, question);
    await b.transport.send(answer);
    await arrive(a, answer);
    await asked;
  }),

  behaviour("keeps the order of 1,000 messages sent at once", async ({ a, b }) => {
    const messages = Array.from({ length: 1_000 }, (_, at) => note(at));
    await Promise.all(messages.map(async (message) => a.transport.send(message)));
    await arrive(b, ...messages);
  }),

  ...[
    ["umlauts and ideographs", "Grüße, 你好, שלום"],
    ["characters outside the first plane", "😀 👩‍👩‍👧 𝒳"],
    ["line separators that JSON does not escape", "a\u2028b\u2029c\u0085d"],
    ["control characters", 'a\nb\r\nc\td\0e\u001ff"g\\h\u007f\ufeff'],
  ].map(([name = "", text]) =>
    behaviour(`keeps ${name}`, async ({ a, b }) => {
      await a.transport.send(note(text));
      await arrive(b, note(text));
    }),
  ),

  behaviour("survives half a surrogate pair", async ({ a, b }) => {
    await a.transport.send(note("\ud83d"));
    await a.transport.send(note("next"));
    await until("b gets both messages", () => b.received.length === 2);
    same("the message after it", b.received[1], note("next"));
  }),

  behaviour("carries a message of 1 MB", async ({ a, b }) => {
    const message = note("0123456789abcdé\n".repeat(2 ** 16));
    await a.transport.send(message);
    await arrive(b, message);
  }),

  behaviour("delivers a batch as one message", async ({ a, b }) => {
    await a.transport.send([note(1), note(2)]);
    await arrive(b, [note(1), note(2)]);
  }),

  behaviour("shares no object between the ends", async ({ a, b }) => {
    const shared = { list: [1], nothing: undefined };
    const message = note(shared);
    const sent = a.transport.send(message);
    shared.list.push(2);
    await sent;
    await arrive(b, note({ list: [1] }));
    const { params } = b.received[0] as { params: { value: object } };
    if ("nothing" in params.value) throw new Error("a member whose value is undefined has arrived");
  }),

  behaviour(
    "delivers no message before it is started",
    async ({ a, b }) => {
      await a.transport.start();
      await a.transport.send(note("early"));
      await quiet();
      same("the messages that b received before its start", b.received, []);
      await b.transport.start();
      await arrive(b, note("early"));
    },
    "not started",
  ),

  behaviour("calls onclose of both ends once when one closes", async ({ a, b }) => {
    await a.transport.close();
    same("calls of a's onclose when close has resolved", a.closed, 1);
    await until("b's onclose is called", () => b.closed > 0);
    await quiet();
    await b.transport.close();
    await quiet();
    same("calls of a's onclose", a.closed, 1);
    same("calls of b's onclose", b.closed, 1);
  }),

  behaviour("delivers messages that were sent before it closed", async ({ a, b }) => {
    await a.transport.send(note("last"));
    await a.transport.close();
    await until("b's onclose is called", () => b.closed > 0);
    same("the messages that b received", b.received, [note("last")]);
  }),

  behaviour("allows close to be called again", async ({ a }) => {
    await Promise.all([a.transport.close(), a.transport.close()]);
    await a.transport.close();
    same("calls of onclose", a.closed, 1);
  }),

  behaviour("rejects send after it closed", async ({ a }) => {
    await a.transport.close();
    const refused = await attempt(() => a.transport.send(note("late")));
    if (!refused) throw new Error("send neither threw nor rejected, although the transport is closed");
  }),

  behaviour("delivers no message after it closed", async ({ a, b }) => {
    const closing = a.transport.close();
    await attempt(() => b.transport.send(note("late")));
    await closing;
    await quiet();
    same("the messages that a received after its close", a.received, []);
  }),

  behaviour("continues after a handler has thrown, and reports the error", async ({ a, b }) => {
    const failure = new Error("thrown by the handler");
    const onmessage = b.transport.onmessage;
    b.transport.onmessage = () => {
      b.transport.onmessage = onmessage;
      throw failure;
    };
    await a.transport.send(note("bad"));
    await a.transport.send(note("good"));
    await arrive(b, note("good"));
    same("the errors that b's onerror received", b.errors.map(String), [String(failure)]);
    same("calls of b's onclose", b.closed, 0);
  }),

  behaviour("calls onclose of the other end once when the peer breaks", async ({ a, breakB }) => {
    if (breakB === undefined) return;
    await breakB();
    await until("a's onclose is called", () => a.closed > 0);
    await quiet();
    same("calls of a's onclose", a.closed, 1);
    if (!(await attempt(() => a.transport.send(note("late")))))
      throw new Error("send succeeds although the peer is gone");
  }),
];

function behaviour(
  name: string,
  script: (pair: Pair) => Promise<void>,
  ends: "started" | "not started" = "started",
): TransportBehaviour {
  return {
    name,
    async run(harness) {
      const opened = await harness.open();
      const { a, b } = opened;
      const pair: Pair = { a: watch("a", a), b: watch("b", b), breakB: opened.breakB?.bind(opened) };
      try {
        if (ends === "started") await Promise.all([a.start(), b.start()]);
        await script(pair);
      } catch (cause) {
        throw new Error(`${harness.name}: ${name}: ${toError(cause).message}`, { cause });
      } finally {
        await Promise.allSettled([a.close(), b.close()]);
      }
    },
  };
}

function watch(name: End["name"], transport: Transport): End {
  const end: End = { name, transport, received: [], errors: [], closed: 0 };
  transport.onmessage = (message) => void end.received.push(message);
  transport.onerror = (error) => void end.errors.push(error);
  transport.onclose = () => {
    end.closed++;
  };
  return end;
}

function note(value: unknown): JSONRPCMessage {
  return { jsonrpc: "2.0", method: "test/note", params: { value } };
}

/** Waits for these messages, and expects no others. */
async function arrive({ name, received }: End, ...messages: readonly unknown[]): Promise<void> {
  await until(`${name} gets all messages`, () => received.length >= messages.length);
  same(`the messages that ${name} received`, received, messages);
}

/** Whether the call throws or rejects. */
async function attempt(call: () => Promise<void> | void): Promise<boolean> {
  try {
    await call();
    return false;
  } catch {
    return true;
  }
}

function quiet(): Promise<void> {
  return sleep(QUIET_MS);
}
