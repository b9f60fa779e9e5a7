import { NOTIFICATIONS_MESSAGE } from "@mcpwright/protocol/names";
import { type McpServer, type ServerContext, sessionKey } from "../../runtime/src/server.js";
import type { Simulation } from "./engine/simulation.js";

/** What the tools need of their node. */
interface Place {
  readonly name: string;
  readonly isAlive: boolean;
  readonly simulation: Simulation;
}

/** The arguments of all tools. */
export interface ToolArguments {
  /** Unique: all messages of the call contain it. */
  readonly token: string;
  readonly steps?: number;
  readonly pauseMs?: number;
  /** The step after which the server closes the connection, so that the client reconnects. */
  readonly closeAfter?: number;
}

/** What all tools return, as JSON text. */
export interface ToolOutcome {
  readonly token: string;
  readonly principal: string;
  /** The id of the session as the node knows it. */
  readonly session: string | null;
  readonly [member: string]: unknown;
}

const tokens = sessionKey<readonly string[]>("tokens");
const requestedSchema = { type: "object" as const, properties: { answer: { type: "string" as const } } };

/** Clients send what they should. */
const inputSchema = {
  validate: (value: unknown) => ({ value: value as ToolArguments }),
  jsonSchema: { type: "object", properties: { token: { type: "string" } } },
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Run = (given: ToolArguments, context: ServerContext, place: Place) => object | Promise<object>;

/** The tools, each of which uses another part of the runtime. */
export const tools = {
  echo: () => ({}),

  /** Sends messages before its result. */
  async steps({ token, steps = 0, pauseMs = 0, closeAfter }, context) {
    for (let step = 1; step <= steps; step++) {
      for (const level of ["debug", "info"] as const) context.log(level, { token, step });
      context.progress({ progress: step, message: token });
      if (step === closeAfter) context.http?.closeSSE?.(100);
      await sleep(pauseMs);
    }
    return { steps };
  },

  /** Asks the user. */
  async ask({ token, steps = 1 }, context) {
    const answers: unknown[] = [];
    for (let step = 1; step <= steps; step++) {
      answers.push(await askOnce(context, `q${step}`, JSON.stringify({ token, step })));
    }
    return { answers };
  },

  /** Runs until it is cancelled, or for a while. */
  async wait({ token, pauseMs = 0 }, { signal }, place) {
    const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    await Promise.race([aborted, sleep(pauseMs)]);
    if (signal.aborted && place.isAlive) place.simulation.note(`${token} is aborted`);
    return {};
  },

  /** Adds the token to the data of the session. */
  async store({ token }, { session }) {
    return { stored: (await session?.store.update(tokens, (before = []) => [...before, token])) ?? null };
  },

  /** Sends messages that belong to no request. */
  async announce({ token, steps = 0, pauseMs = 0 }, { connection }) {
    for (let step = 1; step <= steps; step++) {
      await connection.notify(NOTIFICATIONS_MESSAGE, { level: "info", logger: "announce", data: { token, step } });
      await sleep(pauseMs);
    }
    return { steps };
  },
} satisfies Readonly<Record<string, Run>>;

/** Asks by a form, or, in revisions without forms, by sampling. */
async function askOnce(context: ServerContext, key: string, question: string): Promise<unknown> {
  if (context.client.capabilities.elicitation) {
    const { action, content } = await context.elicit(key, { message: question, requestedSchema });
    return action === "accept" ? content?.["answer"] : action;
  }
  const messages = [{ role: "user" as const, content: { type: "text" as const, text: question } }];
  const { content } = await context.sample(key, { messages, maxTokens: 10 });
  return (content as { readonly text?: string }).text;
}

export type ToolName = keyof typeof tools;

export function registerTools(server: McpServer, place: Place): void {
  for (const [name, run] of Object.entries(tools) as [ToolName, Run][])
    server.registerTool(name, { inputSchema }, async (given, context) => {
      const { transport } = context.connection;
      const outcome: ToolOutcome = {
        token: given.token,
        principal: context.principal?.subject ?? "",
        session: transport.sessionId ?? null,
        ...(await run(given, context, place)),
      };
      return { content: [{ type: "text", text: JSON.stringify(outcome) }] };
    });
}
