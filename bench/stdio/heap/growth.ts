import { fork } from "node:child_process";
import { once } from "node:events";
import { type Growth, growthOf } from "../../shared/growth.js";
import type { Stage } from "../../shared/stage.js";
import { booking, opened, opening, request, type Revision, type Template, textOf } from "../../shared/traffic.js";
import { ServerProcess } from "../server-process.js";

const capabilities = { elicitation: {} };
const inFlight = 64;

/** A scenario: the given number of calls, which end in a given way. */
interface Scenario {
  readonly name: string;
  readonly revision: Revision;
  readonly calls: number;
  run(server: ServerProcess, revision: Revision, calls: number): Promise<void>;
}

export const scenarios = (scale: number): readonly Scenario[] => [
  { name: "server: calls on one connection", revision: "2025-11-25", calls: 1_000_000 * scale, run: answered },
  { name: "server: calls on one connection", revision: "2026-07-28", calls: 1_000_000 * scale, run: answered },
  {
    name: "server: calls cancelled by the client",
    revision: "2025-11-25",
    calls: 200_000 * scale,
    run: cancelled("hang"),
  },
  {
    name: "server: calls cancelled by the client",
    revision: "2026-07-28",
    calls: 200_000 * scale,
    run: cancelled("hang"),
  },
  {
    name: "server: unanswered questions, cancelled",
    revision: "2025-11-25",
    calls: 10_000 * scale,
    run: cancelled("ask"),
  },
  {
    name: "server: parked handlers whose client does not return",
    revision: "2026-07-28",
    calls: 10_000 * scale,
    run: abandoned,
  },
];

export async function growthOfServer(stage: Stage, { name, revision, calls, run }: Scenario): Promise<Growth> {
  const server = new ServerProcess(["--expose-gc", stage.script("heap/server")]);
  try {
    await server.ask(opening(revision, capabilities));
    server.tell(() => opened(revision), 1);
    await run(server, revision, calls / 10);
    const before = await heldBy(server, revision);
    await run(server, revision, calls);
    const after = await heldBy(server, revision);
    return growthOf(`${name}, ${revision}`, calls, before, after);
  } finally {
    await server.close();
  }
}

async function answered(server: ServerProcess, revision: Revision, calls: number): Promise<void> {
  await server.pump(call("book", booking, revision), calls, inFlight);
}

function cancelled(tool: string): Scenario["run"] {
  return async (server, revision, calls) => {
    const started = call(tool, {}, revision);
    for (let left = calls; left > 0; left -= inFlight) {
      const first = server.lastId + 1;
      const now = Math.min(inFlight, left);
      server.tell((id) => textOf(started, id), now);
      // This reply proves that the handlers have started.
      await server.ask(call("book", booking, revision));
      let next = first;
      server.tell(() => cancellation(next++), now);
      await server.ask(call("book", booking, revision));
    }
  };
}

async function abandoned(server: ServerProcess, revision: Revision, calls: number): Promise<void> {
  const reply = (await server.ask(call("ask", {}, revision))) as { readonly result?: { readonly resultType?: string } };
  if (reply.result?.resultType !== "input_required") throw new Error(`expected a question: ${JSON.stringify(reply)}`);
  await server.pump(call("ask", {}, revision), calls, inFlight);
  // Slightly longer than the time that a handler may be parked.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
}

async function heldBy(server: ServerProcess, revision: Revision): Promise<number> {
  const reply = (await server.ask(call("held", {}, revision))) as {
    readonly result?: { readonly content?: readonly { readonly text: string }[] };
  };
  return Number(reply.result?.content?.[0]?.text);
}

function call(name: string, args: object, revision: Revision): Template {
  return request("tools/call", { name, arguments: args }, revision, capabilities);
}

function cancellation(requestId: number): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${requestId}}}\n`;
}

/** Our client with our server: the given number of calls that end as `kind` says. */
export async function growthOfClient(stage: Stage, kind: string, calls: number): Promise<Growth> {
  const child = fork(stage.script("heap/client"), [stage.script("heap/server"), kind, String(calls)], {
    execArgv: ["--expose-gc"],
  });
  try {
    const [message] = (await Promise.race([once(child, "message"), once(child, "exit")])) as [unknown];
    if (typeof message !== "object" || message === null) throw new Error(`the client exited with ${String(message)}`);
    const { before, after } = message as { readonly before: number; readonly after: number };
    return growthOf(`client: calls ${kind}`, calls, before, after);
  } finally {
    child.kill("SIGKILL");
  }
}
