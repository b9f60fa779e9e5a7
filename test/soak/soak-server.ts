import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Backplane } from "../../runtime/src/backplane.js";
import { ProtocolError, ResourceNotFoundError } from "../../runtime/src/index.js";
import { inputRequired, McpServer, ResourceTemplate, type ServerContext } from "../../runtime/src/server.js";
import {
  clientOf,
  doneWith,
  echoOf,
  failureCode,
  failureOf,
  fixedResources,
  fixedUri,
  flippedTool,
  greetingOf,
  ownUri,
  pageSize,
  questionOf,
  suggestionsFor,
  textOfResource,
} from "./model.js";

/** How long a call of `wait` waits if it is not cancelled. */
const longestWaitMs = 30_000;
const keptFates = 1_000;

const said = (text: string) => ({ content: [{ type: "text" as const, text }] });
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const nonced = z.object({ nonce: z.string() });

export interface SoakServer {
  readonly server: McpServer;
  /** The number of all calls, and the calls in progress. */
  readonly calls: { total: number; readonly running: Set<ServerContext> };
}

/** A server with every feature, whose responses are those of the model. */
export function soakServer(onerror: (error: Error) => void, backplane?: Backplane): SoakServer {
  const epoch = randomUUID();
  const counters = new Map<string, number>();
  const fates = new Map<string, string>();
  const flipped = new Map<string, { remove(): void }>();
  const calls = { total: 0, running: new Set<ServerContext>() };
  const server = new McpServer(
    { name: "soak", version: "1.0.0" },
    {
      onerror,
      backplane,
      pageSize,
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } },
      suspension: { ttlMs: 15_000 },
      middleware: [
        async (context, next) => {
          calls.total++;
          calls.running.add(context);
          try {
            return await next();
          } finally {
            calls.running.delete(context);
          }
        },
      ],
    },
  );

  server.registerTool(
    "sum",
    {
      inputSchema: z.object({ nonce: z.string(), a: z.number(), b: z.number() }),
      outputSchema: z.object({ nonce: z.string(), sum: z.number() }),
    },
    ({ nonce, a, b }) => ({ structuredContent: { nonce, sum: a + b } }),
  );
  server.registerTool("echo", { inputSchema: nonced.extend({ size: z.number() }) }, ({ nonce, size }) =>
    said(echoOf(nonce, size)),
  );
  server.registerTool("count", { inputSchema: nonced }, ({ nonce }) => {
    const client = clientOf(nonce);
    const n = (counters.get(client) ?? 0) + 1;
    counters.set(client, n);
    return said(JSON.stringify({ nonce, epoch, n }));
  });
  server.registerTool(
    "work",
    { inputSchema: nonced.extend({ steps: z.number() }) },
    async ({ nonce, steps }, context) => {
      for (let step = 1; step <= steps; step++) {
        context.progress({ progress: step, total: steps, message: `${nonce} ${step}` });
        if (step % 3 === 0) await sleep(5);
      }
      return said(doneWith(nonce));
    },
  );
  server.registerTool(
    "talk",
    { inputSchema: nonced.extend({ count: z.number() }) },
    async ({ nonce, count }, context) => {
      for (let at = 0; at < count; at++) {
        context.log("info", `${nonce} ${at}`);
        if (at % 4 === 3) await sleep(10);
      }
      return said(doneWith(nonce));
    },
  );
  server.registerTool(
    "fail",
    { inputSchema: nonced.extend({ how: z.enum(["throw", "protocol"]) }) },
    ({ nonce, how }) => {
      throw how === "throw" ? new Error(failureOf(nonce)) : new ProtocolError(failureCode, failureOf(nonce), { nonce });
    },
  );
  server.registerTool("wait", { inputSchema: nonced }, async ({ nonce }, context) => {
    const oldest = fates.size >= keptFates ? fates.keys().next().value : undefined;
    if (oldest !== undefined) fates.delete(oldest);
    fates.set(nonce, "waiting");
    context.progress({ progress: 1, message: nonce });
    const how = await waitFor(context.signal);
    fates.set(nonce, how);
    return said(doneWith(nonce));
  });
  server.registerTool("fate", { inputSchema: nonced }, ({ nonce }) => said(fates.get(nonce) ?? "unknown"));

  const form = (nonce: string) => ({
    message: questionOf(nonce),
    requestedSchema: {
      type: "object" as const,
      properties: { word: { type: "string" as const } },
      required: ["word"],
    },
  });
  server.registerTool("elicit-await", { inputSchema: nonced }, async ({ nonce }, context) => {
    const { content } = await context.elicit("word", { mode: "form", ...form(nonce) });
    return said(`${nonce} ${String(content?.["word"])}`);
  });
  server.registerTool("elicit-return", { inputSchema: nonced }, ({ nonce }, context) => {
    const answer = context.inputResponses?.["word"];
    if (!answer)
      return inputRequired({ inputRequests: { word: inputRequired.elicit(form(nonce)) }, requestState: { nonce } });
    const state = context.requestState as { readonly nonce?: string } | undefined;
    return said(`${String(state?.nonce)} ${wordIn(answer)}`);
  });
  server.registerTool(
    "elicit-ask",
    { inputSchema: nonced, inputRequests: ({ nonce }) => ({ word: inputRequired.elicit(form(nonce)) }) },
    ({ nonce }, _context, responses) => said(`${nonce} ${wordIn(responses.word)}`),
  );
  server.registerTool("sample", { inputSchema: nonced }, async ({ nonce }, context) => {
    const { content } = await context.sample("word", {
      maxTokens: 10,
      messages: [{ role: "user", content: { type: "text", text: questionOf(nonce) } }],
    });
    const [block] = Array.isArray(content) ? content : [content];
    return said(`${nonce} ${block?.type === "text" ? block.text : "?"}`);
  });
  server.registerTool("roots", { inputSchema: nonced }, async ({ nonce }, context: ServerContext) => {
    const { roots } = await context.listRoots("roots");
    return said(`${nonce} ${roots.map(({ uri }) => uri).join(" ")}`);
  });
  server.registerTool("touch", { inputSchema: nonced }, ({ nonce }) => {
    server.sendResourceUpdated({ uri: ownUri(clientOf(nonce)) });
    return said(doneWith(nonce));
  });
  server.registerTool("flip", { inputSchema: nonced.extend({ to: z.boolean() }) }, ({ nonce, to }) => {
    const name = flippedTool(clientOf(nonce));
    const known = flipped.get(name);
    if (to && !known)
      flipped.set(
        name,
        server.registerTool(name, {}, () => said(name)),
      );
    if (!to && known) {
      known.remove();
      flipped.delete(name);
    }
    return said(doneWith(nonce));
  });

  for (let at = 0; at < fixedResources; at++)
    server.registerResource(`fixed-${at}`, fixedUri(at), { mimeType: "text/plain" }, ({ href }) => ({
      contents: [{ uri: href, text: textOfResource(href) }],
    }));
  server.registerResource(
    "item",
    new ResourceTemplate("soak://item/{client}/{at}", { complete: { client: (value) => suggestionsFor(value) } }),
    {},
    ({ href }, { at }) => {
      if (at === "0") throw new ResourceNotFoundError(href);
      return { contents: [{ uri: href, text: textOfResource(href) }] };
    },
  );
  server.registerResource("own", new ResourceTemplate("soak://own/{client}"), {}, ({ href }) => ({
    contents: [{ uri: href, text: textOfResource(href) }],
  }));
  for (const name of ["greet", ...Array.from({ length: 9 }, (_, at) => `greet-${at}`)])
    server.registerPrompt(
      name,
      { argsSchema: z.object({ name: z.string() }), complete: { name: (value) => suggestionsFor(value) } },
      (args) => ({ messages: [{ role: "user", content: { type: "text", text: greetingOf(args.name) } }] }),
    );
  return { server, calls };
}

function wordIn(answer: unknown): string {
  return String((answer as { readonly content?: { readonly word?: unknown } } | undefined)?.content?.word);
}

/** Waits until the signal is aborted, or until the time is up. */
async function waitFor(signal: AbortSignal): Promise<string> {
  if (signal.aborted) return "aborted";
  let timer: NodeJS.Timeout | undefined;
  const how = await new Promise<string>((resolve) => {
    signal.addEventListener("abort", () => resolve("aborted"), { once: true });
    timer = setTimeout(resolve, longestWaitMs, "left alone");
  });
  clearTimeout(timer);
  return how;
}
