import { RemoteError } from "../../runtime/src/index.js";
import {
  answeredBy,
  clientOf,
  doneWith,
  echoOf,
  failureCode,
  failureOf,
  fixedResources,
  fixedUri,
  flippedTool,
  greetingOf,
  itemUri,
  rootOf,
  suggestionsFor,
  textOfResource,
  toolNames,
} from "./model.js";
import type { SoakClient } from "./soak-client.js";
import { waitUntil } from "./wait.js";
import { assertSame, ModelMismatch } from "./model-mismatch.js";

/** An action of a client. Throws `ModelMismatch` if a result differs from the model; errors of the client pass through. */
export interface Feature {
  readonly name: string;
  readonly weight: number;
  /** Whether a client runs at most one such feature at a time. */
  readonly alone?: true;
  readonly suits?: (station: SoakClient) => boolean;
  readonly run: (station: SoakClient) => Promise<void>;
}

/** The caller aborts the call. */
class Unwanted extends Error {}

/** Longer than any fault lasts. */
const timeoutMs = 25_000;
const patienceMs = 8_000;

const asks = ({ revision }: SoakClient): boolean => revision >= "2025-06-18";

type CallOptions = Parameters<SoakClient["client"]["callTool"]>[1];

async function call(station: SoakClient, name: string, args: object, options?: CallOptions): Promise<string> {
  const params = { name, arguments: args as Record<string, unknown> };
  const { content, isError } = await station.client.callTool(params, { timeoutMs, ...options });
  const [block] = content;
  const text = block?.type === "text" ? block.text : JSON.stringify(content);
  return isError ? `error: ${text}` : text;
}

const until = (done: () => boolean | Promise<boolean>): Promise<boolean> => waitUntil(done, patienceMs);

const asking = (name: string, expected = answeredBy): Feature => ({
  name,
  weight: 3,
  suits: asks,
  async run(station) {
    const nonce = station.nonce();
    const received = await call(station, name, { nonce });
    // The client's answer could not be sent, and the error after it could: only a fault explains that.
    if (received === "error: Internal error") throw new ModelMismatch(expected(nonce), received, "LOST");
    assertSame(received, expected(nonce));
  },
});

export const features: readonly Feature[] = [
  {
    name: "structured output",
    weight: 6,
    async run(station) {
      const nonce = station.nonce();
      const [a, b] = [station.random.between(0, 1e6), station.random.between(0, 1e6)];
      const args = { nonce, a, b };
      const { structuredContent, content } = await station.client.callTool(
        { name: "sum", arguments: args },
        { timeoutMs },
      );
      const [block] = content;
      assertSame(block?.type === "text" && (JSON.parse(block.text) as unknown), { nonce, sum: a + b });
      if (station.revision >= "2025-06-18") assertSame(structuredContent, { nonce, sum: a + b });
    },
  },
  {
    name: "many at once",
    weight: 3,
    async run(station) {
      const nonces = Array.from({ length: station.random.between(5, 30) }, () => station.nonce());
      const answers = await Promise.all(nonces.map((nonce) => call(station, "echo", { nonce, size: 1 })));
      assertSame(
        answers,
        nonces.map((nonce) => echoOf(nonce, 1)),
      );
    },
  },
  {
    name: "large output",
    weight: 1,
    async run(station) {
      const nonce = station.nonce();
      const size = station.random.between(1_000, 10_000);
      assertSame(await call(station, "echo", { nonce, size }), echoOf(nonce, size));
    },
  },
  {
    name: "count",
    weight: 6,
    alone: true,
    async run(station) {
      const nonce = station.nonce();
      const before = station.counted;
      const attempt = (): Promise<string> => call(station, "count", { nonce });
      const answer = JSON.parse(
        await attempt().catch((error: unknown) => {
          // The server may or may not have counted the call.
          station.counted = undefined;
          throw error;
        }),
      ) as { nonce: string; epoch: string; n: number };
      assertSame(answer.nonce, nonce);
      if (before?.epoch === answer.epoch) assertSame(answer.n, before.n + 1);
      station.counted = answer;
    },
  },
  {
    name: "progress",
    weight: 4,
    async run(station) {
      const nonce = station.nonce();
      const steps = station.random.between(1, 12);
      let last = 0;
      let isOver = false;
      const problems: ModelMismatch[] = [];
      const onProgress = ({ progress, message }: { progress: number; message?: string | undefined }): void => {
        const expected = `${nonce} ${progress}`;
        // Progress has no message in the first revision.
        const isOwn = message === expected || (message === undefined && station.revision === "2024-11-05");
        if (!isOwn || isOver || progress <= last || progress > steps)
          problems.push(
            new ModelMismatch(`progress of ${nonce} after ${last}`, `${message ?? ""} (${progress}, over: ${isOver})`),
          );
        last = progress;
      };
      const answer = await call(station, "work", { nonce, steps }, { onProgress });
      isOver = true;
      assertSame(answer, doneWith(nonce));
      if (problems[0]) throw problems[0];
      assertSame(last, steps);
    },
  },
  {
    name: "logging",
    weight: 3,
    async run(station) {
      const nonce = station.nonce();
      const count = station.random.between(1, 12);
      const heard: number[] = [];
      station.logs.set(nonce, heard);
      try {
        assertSame(await call(station, "talk", { nonce, count }), doneWith(nonce));
        await until(() => heard.length >= count);
        assertSame(
          heard,
          Array.from({ length: count }, (_, at) => at),
        );
      } finally {
        station.logs.delete(nonce);
      }
    },
  },
  {
    name: "errors",
    weight: 3,
    async run(station) {
      const nonce = station.nonce();
      assertSame(await call(station, "fail", { nonce, how: "throw" }), `error: ${failureOf(nonce)}`);
      const refused = await call(station, "fail", { nonce, how: "protocol" }).catch((error: unknown) => {
        if (!(error instanceof RemoteError)) throw error;
        return error;
      });
      if (typeof refused === "string") throw new ModelMismatch("an error", refused);
      assertSame([refused.code, refused.message, refused.data], [failureCode, failureOf(nonce), { nonce }]);
    },
  },
  asking("elicit-await"),
  asking("elicit-return"),
  asking("elicit-ask"),
  { ...asking("sample"), suits: () => true },
  { ...asking("roots", (nonce) => `${nonce} ${rootOf(clientOf(nonce))}`), suits: () => true },
  {
    name: "resources",
    weight: 4,
    async run(station) {
      const uri = station.random.chance(0.5)
        ? fixedUri(station.random.between(0, fixedResources - 1))
        : itemUri(station.alias, station.random.between(1, 1_000));
      const { contents } = await station.client.readResource({ uri }, { timeoutMs });
      assertSame(
        contents.map((one) => [one.uri, "text" in one && one.text]),
        [[uri, textOfResource(uri)]],
      );
    },
  },
  {
    name: "missing resources",
    weight: 1,
    async run(station) {
      const uri = itemUri(station.alias, 0);
      const refused = await station.client.readResource({ uri }, { timeoutMs }).catch((error: unknown) => {
        if (!(error instanceof RemoteError)) throw error;
        return error;
      });
      if (!(refused instanceof RemoteError)) throw new ModelMismatch("an error", JSON.stringify(refused));
      assertSame([-32002, -32602].includes(refused.code), true);
    },
  },
  {
    name: "pagination",
    weight: 2,
    async run(station) {
      const { resources } = await station.client.listResources({}, { timeoutMs });
      assertSame(
        resources.map(({ uri }) => uri),
        Array.from({ length: fixedResources }, (_, at) => fixedUri(at)),
      );
      const { resourceTemplates } = await station.client.listResourceTemplates({}, { timeoutMs });
      assertSame(
        resourceTemplates.map(({ name }) => name),
        ["item", "own"],
      );
      const { prompts } = await station.client.listPrompts({}, { timeoutMs });
      assertSame(prompts.length, 10);
    },
  },
  {
    name: "prompts",
    weight: 2,
    async run(station) {
      const name = station.nonce();
      const { messages } = await station.client.getPrompt({ name: "greet", arguments: { name } }, { timeoutMs });
      assertSame(
        messages.map(({ content }) => content),
        [{ type: "text", text: greetingOf(name) }],
      );
    },
  },
  {
    name: "completion",
    weight: 2,
    async run(station) {
      const value = station.nonce();
      const ref = station.random.chance(0.5)
        ? { argument: { name: "name", value }, ref: { type: "ref/prompt" as const, name: "greet" } }
        : {
            argument: { name: "client", value },
            ref: { type: "ref/resource" as const, uri: "soak://item/{client}/{at}" },
          };
      const { completion } = await station.client.complete(ref, { timeoutMs });
      assertSame(completion.values, suggestionsFor(value));
    },
  },
  {
    name: "cancellation",
    weight: 3,
    async run(station) {
      const nonce = station.nonce();
      const cancel = new AbortController();
      const hasBegun = station.random.chance(0.7);
      const onProgress = (): void => {
        if (hasBegun) cancel.abort(new Unwanted());
      };
      if (!hasBegun) setTimeout(() => cancel.abort(new Unwanted()), station.random.between(0, 50));
      const outcome = await call(station, "wait", { nonce }, { signal: cancel.signal, onProgress }).catch(
        (error: unknown) => error,
      );
      if (!(outcome instanceof Unwanted)) {
        if (outcome instanceof Error) throw outcome;
        throw new ModelMismatch("the reason of the cancellation", String(outcome));
      }
      // A cancellation that arrives before its request has no effect.
      if (!hasBegun) return;
      let fate = "";
      const ended = await until(async () => (fate = await call(station, "fate", { nonce })) !== "waiting");
      if (!ended || fate === "left alone") throw new ModelMismatch("an aborted signal of the handler", fate, "LOST");
    },
  },
  {
    name: "time-out",
    weight: 2,
    async run(station) {
      const nonce = station.nonce();
      const outcome = await call(station, "wait", { nonce }, { timeoutMs: station.random.between(20, 150) }).catch(
        (error: unknown) => error,
      );
      if (!(outcome instanceof Error)) throw new ModelMismatch("a time-out", String(outcome));
      if ((outcome as { code?: unknown }).code !== "REQUEST_TIMEOUT") throw outcome;
    },
  },
  {
    name: "resource updates",
    weight: 3,
    alone: true,
    // Over Streamable HTTP, sessions of 2024-11-05 have no stream for notifications.
    suits: ({ isSubscribed, transport, revision }) =>
      isSubscribed && !(transport === "http" && revision === "2024-11-05"),
    async run(station) {
      // A stream that is not open yet can miss the first updates.
      for (let attempts = station.hears ? 1 : 5; attempts > 0; attempts--) {
        const before = station.updates;
        const nonce = station.nonce();
        assertSame(await call(station, "touch", { nonce }), doneWith(nonce));
        if (await until(() => station.updates > before)) {
          station.hears = true;
          return;
        }
      }
      throw new ModelMismatch("a notification of the updated resource", "nothing", "LOST");
    },
  },
  {
    name: "list changes",
    weight: 1,
    alone: true,
    async run(station) {
      for (const to of [true, false]) {
        const before = station.changes;
        const nonce = station.nonce();
        assertSame(await call(station, "flip", { nonce, to }), doneWith(nonce));
        const { tools } = await station.client.listTools({}, { timeoutMs });
        const names = tools.map(({ name }) => name);
        for (const name of toolNames)
          if (!names.includes(name)) throw new ModelMismatch(`the tool ${name}`, names.join(" "));
        const own = names.filter((name) => name === flippedTool(station.alias));
        assertSame(own.length, to ? 1 : 0);
        if (station.hears && !(await until(() => station.changes > before)))
          throw new ModelMismatch("a notification of the changed list", "nothing", "LOST");
      }
    },
  },
  {
    name: "is alive",
    weight: 1,
    async run({ client }) {
      if (await client.isAlive({ timeoutMs })) return;
      throw new ModelMismatch("a response", "none", "LOST");
    },
  },
];
