import { clientSides } from "@mcpwright/protocol/client-sides";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ElicitResult } from "../../runtime/src/authoring.js";
import { Client } from "../../runtime/src/client/core.js";
import { Recorder } from "../../runtime/src/testing.js";
import { reach, recordedFetch, serveNamed } from "./http.js";
import { R1, R2, R3, R4, R5 } from "./messages.js";
import { nodeCount } from "./nodes.js";

const lamp = { item: "lamp" };
const accept = (name: string): ElicitResult => ({ action: "accept", content: { name } });
const everything = { "First?": accept("a"), "Second?": accept("b"), "Left?": accept("c"), "Right?": accept("d") };

type Answers = Readonly<Record<string, ElicitResult>>;

/** A client of one revision, whose requests alternate between the instances of a server. */
async function visitor(revision: string, instances: number, answers: Answers | undefined, options: object = {}) {
  const places = await Promise.all(Array.from({ length: instances }, () => serveNamed("desk", { options })));
  let turn = 0;
  const { exchanged, ...recorded } = recordedFetch();
  const transport = reach(places[0] as { url: URL }, {
    fetch: (_url, init) => recorded.fetch((places[turn++ % instances] as { url: URL }).url, init),
  });
  const recorder = new Recorder();
  const client = new Client(
    { name: "visitor", version: "1" },
    {
      revisions: clientSides.filter((side) => side.revision === revision),
      trace: recorder.trace,
      capabilities: answers ? { elicitation: {} } : {},
    },
  );
  onTestFinished(() => client.close());
  const asked: string[] = [];
  if (answers)
    client.setRequestHandler("elicitation/create", ({ message }) => {
      asked.push(message);
      return answers[message] ?? { action: "cancel" };
    });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = lamp): Promise<unknown> =>
    (await client.callTool({ name, arguments: args })).content.map((block) => (block as { text?: string }).text)[0];
  return {
    client,
    call,
    asked,
    recorder,
    exchanged,
    /** The trails of all instances. */
    async trail() {
      const trails = [];
      for (const _ of places) trails.push(await call("trail", {}));
      return trails.filter((one) => one !== "").join(" | ");
    },
  };
}

const clients = [
  [R3, 1],
  [R4, 1],
  [R5, 1],
  [R5, 2],
  [R5, 3],
] as const;

const runs: readonly (readonly [what: string, answers: Answers, result: string, asked: string[], rounds: number])[] = [
  ["accepts all", everything, "lamp a b c d", ["First?", "Second?", "Left?", "Right?"], 3],
  ["declines", { "First?": { action: "decline" } }, "lamp decline", ["First?"], 1],
  ["cancels", {}, "lamp cancel", ["First?"], 1],
  ["declines the last", { ...everything, "Right?": { action: "decline" } }, "lamp a b c decline", [], 3],
];

describe.each(clients)("%s, %i instance(s)", (revision, instances) => {
  test.each(runs)("a user who %s", async (_what, answers, result, asked, rounds) => {
    const visit = await visitor(revision, instances, answers);
    expect(await visit.call("asks-in-rounds")).toBe(result);
    if (asked.length > 0) expect(visit.asked).toEqual(asked);
    const calls = visit.recorder.find("out", { params: { name: "asks-in-rounds" } }) as { id: unknown }[];
    expect(calls).toHaveLength(revision === R5 ? 1 + rounds : 1);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    expect(visit.recorder.find("in", "elicitation/create")).toHaveLength(revision === R5 ? 0 : visit.asked.length);
    // The side effect happened once, on any of the instances.
    expect(await visit.trail()).toBe("run lamp");
  });
});

test.each([R1, R2])(
  "%s: returns a tool error to a client without elicitation, without side effects",
  async (revision) => {
    const visit = await visitor(revision, 1, undefined);
    const result = await visit.client.callTool({ name: "asks-in-rounds", arguments: lamp });
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("elicitation") as unknown }],
    });
    expect(await visit.trail()).toBe("");
  },
);

test("2026-07-28: rejects a client without elicitation with a code and status 400, without side effects", async () => {
  const visit = await visitor(R5, 2, undefined);
  await expect(visit.call("asks-in-rounds")).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  });
  expect(visit.exchanged.at(-1)?.status).toBe(400);
  expect(await visit.trail()).toBe("");
});

// Nodes that share a backplane pass the retry on.
const withoutBackplane = nodeCount === 1 ? [R5] : [];
test.each(withoutBackplane)("%s: another instance rejects the retry for a suspended handler", async (revision) => {
  const visit = await visitor(revision, 2, everything);
  await expect(visit.call("waits")).rejects.toMatchObject({
    code: -32602,
    message: "Invalid or expired requestState",
  });
});
