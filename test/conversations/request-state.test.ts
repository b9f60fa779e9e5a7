import { describe, onTestFinished, test } from "vitest";
import { MemoryBackplane } from "../../runtime/src/backplane.js";
import { InMemoryTransport } from "../../runtime/src/transport/in-memory.js";
import type { Principal } from "../../runtime/src/transport/principal.js";
import { any, capture, runConversation, type Step } from "../../runtime/src/testing.js";
import { transportSetups, converse, played } from "./transports.js";
import { stateless, text } from "./messages.js";
import { nodeCount } from "./nodes.js";
import { desk } from "./servers/desk.js";

const can = { elicitation: {} };
const accept = { action: "accept", content: { name: "a" } };
const refused = { error: { code: -32602, message: "Invalid or expired requestState" } };
const lamp = { item: "lamp" };

/** Makes the desk ask its first question, and captures `state`. */
const asked: readonly Step[] = [
  { "->": stateless("ask", "tools/call", { name: "returns", arguments: lamp }, can) },
  { "<-": { id: "ask", result: { resultType: "input_required", requestState: capture("state") } } },
];

/** Sends the answer. */
const retry = (requestState: unknown, changes: object = {}) =>
  stateless(
    "retry",
    "tools/call",
    { name: "returns", arguments: lamp, inputResponses: { first: accept }, requestState, ...changes },
    can,
  );

const entered = (trail: string): Step[] => [
  { "->": stateless("trail", "tools/call", { name: "trail" }) },
  { "<-": { id: "trail", result: text(trail) } },
];

/** Sends a modified state. */
const sends = (change: (state: string) => Parameters<typeof retry>): Step => ({
  do: (peer) => peer.send({ jsonrpc: "2.0", ...retry(...change(String(peer.captured.get("state")))) }),
});

const works: Step = { "<-": { id: "retry", result: text('{"item":"lamp"} a') } };
const fails: Step = { "<-": { id: "retry", ...refused } };

/** Whether the nodes share a backplane, which remembers used states. */
const isShared = nodeCount > 1;

describe.each(transportSetups)("$name", (carrier) => {
  test("rejects a modified state, always with the same message", async () => {
    const flipped = (state: string, at: number): string => {
      const index = 10 + Math.floor(((state.length - 11) * at) / 20);
      const other = state[index] === "A" ? "B" : "A";
      return state.slice(0, index) + other + state.slice(index + 1);
    };
    const changes: ((state: string) => string)[] = [
      ...Array.from({ length: 20 }, (_, at) => (state: string) => flipped(state, at)),
      (state) => state.slice(0, -8),
      (state) => `x${state}`,
      (state) => `${state}=`,
      (state) => state.toUpperCase(),
      (state) => state.slice(0, 60) + state.slice(20),
      (state) => encodeURIComponent(btoa(state)),
      (state) => state.replace("fixed", "other"),
      () => "",
      () => "v1.fixed.",
      () => "x".repeat(2 ** 20),
    ];
    await converse(carrier, "desk", [
      ...asked,
      ...changes.flatMap((change) => [sends((state) => [change(state)]), fails]),
      ...entered("enter with 0"),
      sends((state) => [state]),
      works,
    ]);
  });

  test.each([
    ["for another tool", { name: "asks-before" }],
    ["for other arguments", { arguments: { item: "bed" } }],
    ["for more arguments", { arguments: { ...lamp, more: 1 } }],
  ])("rejects a state %s", (_name, changes) =>
    converse(carrier, "desk", [...asked, sends((state) => [state, changes]), fails, ...entered("enter with 0")]),
  );

  test("accepts a state with other metadata", () =>
    converse(carrier, "desk", [
      ...asked,
      sends((state) => [state, { _meta: { progressToken: "other", traceparent: "00-1-2-01" } }]),
      works,
    ]));

  test("rejects an expired state", () =>
    converse(
      carrier,
      "desk",
      [
        ...asked,
        { do: () => new Promise((resolve) => setTimeout(resolve, 80)) },
        sends((state) => [state]),
        fails,
        ...entered("enter with 0"),
      ],
      { options: { stateTtlMs: 50 } },
    ));

  test(`${isShared ? "rejects" : "accepts"} a state again ${isShared ? "with" : "without"} a backplane`, () =>
    converse(carrier, "desk", [
      ...asked,
      sends((state) => [state]),
      works,
      sends((state) => [state]),
      isShared ? fails : works,
    ]));

  test("accepts a state on every host that has its key", async () => {
    const key = (id: string, byte: number) => ({ id, key: Array<number>(32).fill(byte) as unknown as Uint8Array });
    const [older, newer] = [key("older", 1), key("newer", 2)];
    const { captured } = await played(carrier, "desk", asked, { options: { stateKeys: [older] } });
    const state = captured.get("state");
    const tried = (stateKeys: (typeof older)[], outcome: Step) =>
      converse(carrier, "desk", [{ "->": retry(state) }, outcome], { options: { stateKeys } });
    await tried([older], works);
    await tried([newer, older], works);
    await tried([newer], fails);
    await tried([key("older", 3)], fails);
  });

  test("accepts the arguments in another order", () =>
    converse(carrier, "desk", [
      { "->": stateless(1, "tools/call", { name: "returns", arguments: { item: "lamp", x: { a: 1, b: [2] } } }, can) },
      { "<-": { id: 1, result: { requestState: capture("state") } } },
      sends((state) => [state, { arguments: { x: { b: [2], a: 1 }, item: "lamp" } }]),
      { "<-": { id: "retry", result: any() } },
    ]));

  test("asks once more for an answer that does not match its question, then rejects it", () =>
    converse(carrier, "desk", [
      ...asked,
      sends((state) => [state, { inputResponses: { first: { action: "accept", content: { name: 5 } } } }]),
      { "<-": { id: "retry", result: { resultType: "input_required", requestState: capture("state") } } },
      sends((state) => [state, { inputResponses: { first: { action: "accept", content: {} } } }]),
      { "<-": { id: "retry", error: { code: -32602, message: /inputResponses\["first"\].*name/ } } },
      sends((state) => [state]),
      isShared ? fails : works,
    ]));
});

describe("with principals and a store", () => {
  /** A desk that treats its client as `who.principal`. */
  function deskFor(who: { principal?: Principal }, options: object = {}): InMemoryTransport {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const server = desk({ options });
    onTestFinished(() => server.close(0));
    void server.connect(far);
    const take = far.onmessage;
    far.onmessage = (message) => take?.(message, who);
    return near;
  }

  test("accepts a state only from the principal that it was sealed for", async () => {
    const who: { principal: Principal } = { principal: { issuer: "https://as.example", subject: "ann" } };
    const become = (subject: string, issuer = "https://as.example"): Step => ({
      do: () => (who.principal = { issuer, subject }),
    });
    await runConversation(
      {
        name: "principals",
        steps: [
          ...asked,
          become("bob"),
          sends((state) => [state]),
          fails,
          become("ann", "https://other.example"),
          sends((state) => [state]),
          fails,
          become("ann"),
          sends((state) => [state]),
          works,
        ],
      },
      deskFor(who),
    );
  });

  test("with a backplane, rejects the second use", async () => {
    await runConversation(
      {
        name: "backplane",
        steps: [...asked, sends((state) => [state]), works, sends((state) => [state]), fails],
      },
      deskFor({}, { backplane: new MemoryBackplane() }),
    );
  });
});
