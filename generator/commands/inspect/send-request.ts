import type { Client, SendOptions } from "@mcpwright/runtime/client";
import { diagnostic, type Diagnostic } from "../../shared/diagnostics/diagnostic.js";
import { closestName } from "../../shared/names/closest.js";
import type { ServerSession } from "../../shared/sessions/open-session.js";
import { escapeLine } from "../../shared/command/escape-controls.js";
import type { Inspection, InspectRequest } from "./inspection.js";
import { listOrNote } from "../../shared/sessions/list-all.js";
import { callAsTask } from "./call-task.js";
import { checkToolOutput } from "./check-tool-output.js";
import { typedArguments } from "./typed-arguments.js";

export interface RequestOptions {
  readonly tell: (line: string) => void;
  readonly note: (one: Diagnostic) => void;
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the response. Default: the timeout of the session. */
  readonly timeoutMs?: number;
}

/** A request with one response. */
type SentRequest = Exclude<InspectRequest, { readonly kind: "app" }>;
type Answered = Required<Pick<Inspection, "request" | "result">> & Pick<Inspection, "task">;

/** Sends one request to the server. */
export async function sendRequest(
  session: ServerSession,
  asked: SentRequest,
  options: RequestOptions,
): Promise<Answered> {
  const { client, run } = session;
  const send: SendOptions = {
    ...(options.signal && { signal: options.signal }),
    ...(options.timeoutMs !== undefined && { timeoutMs: options.timeoutMs }),
    onProgress: ({ progress, total, message }) => {
      const of = total === undefined ? "" : ` of ${total}`;
      options.tell(`progress ${progress}${of}${message === undefined ? "" : `: ${escapeLine(message)}`}`);
    },
  };
  switch (asked.kind) {
    case "call":
      return call(session, asked, send, options);
    case "read": {
      const { uri } = asked;
      const result = await run(`read ${uri}`, () => client.readResource({ uri }, send));
      return { request: { read: uri }, result: { ...result } };
    }
    case "prompt": {
      const { name, arguments: args } = asked;
      const prompts = await listOrNote(
        session,
        "prompts",
        async () => (await client.listPrompts()).prompts,
        options.note,
      );
      noteUnlisted("prompt", name, prompts, options);
      const result = await run(`prompt ${name}`, () => client.getPrompt({ name, arguments: args }, send));
      return { request: { prompt: name, arguments: args }, result: { ...result } };
    }
    case "complete": {
      const { ref, argument, context } = asked;
      const result = await run("a completion", () => complete(client, asked, send));
      return { request: { complete: ref, argument, context }, result: { ...result } };
    }
  }
}

async function call(
  session: ServerSession,
  asked: InspectRequest & { readonly kind: "call" },
  send: SendOptions,
  options: RequestOptions,
): Promise<Answered> {
  const { client, run } = session;
  const { name, pairs = [] } = asked;
  // The list contains the types of the arguments, and over HTTP the arguments that headers repeat.
  const tools = await listOrNote(session, "tools", async () => (await client.listTools()).tools, options.note);
  noteUnlisted("tool", name, tools, options);
  const { inputSchema = {}, outputSchema } = tools.find((tool) => tool.name === name) ?? {};
  const args = { ...asked.arguments, ...typedArguments(pairs, inputSchema) };
  const { result, task } = await run(`the call of ${name}`, () =>
    callAsTask(client, { name, arguments: args }, send, { ...options, task: asked.task === true }),
  );
  if (outputSchema && result.isError !== true) {
    const doubt = await checkToolOutput(name, outputSchema, result.structuredContent);
    if (doubt) options.note(doubt);
  }
  return { request: { call: name, arguments: args }, result: { ...result }, ...(task && { task: { ...task } }) };
}

/** Notes an item that the server does not list. The request is sent nevertheless, because its response may help. */
function noteUnlisted(
  kind: string,
  name: string,
  items: readonly { readonly name: string }[],
  { note }: RequestOptions,
): void {
  const names = items.map((item) => item.name);
  if (names.includes(name)) return;
  const near = closestName(name, names);
  const listed = names.length === 0 ? "It lists none." : `It lists ${names.join(", ")}.`;
  note(diagnostic("request-unlisted", { kind, name, hint: near === undefined ? listed : `Did you mean ${near}?` }));
}

function complete(
  client: Client,
  { ref, argument, context }: InspectRequest & { readonly kind: "complete" },
  send: SendOptions,
): ReturnType<Client["complete"]> {
  return client.complete(
    {
      ref: "prompt" in ref ? { type: "ref/prompt", name: ref.prompt } : { type: "ref/resource", uri: ref.template },
      argument,
      ...(Object.keys(context).length > 0 && { context: { arguments: context } }),
    },
    send,
  );
}
