import { type Growth, growthOf } from "../../shared/growth.js";
import type { Stage } from "../../shared/stage.js";
import { textOf } from "../../shared/traffic.js";
import { Connection } from "../connection.js";
import { callOf, type Conversation, firstId, type Form, type Kind, listeningOf, nameOf } from "../forms.js";
import { Load, openOn } from "../load.js";
import { HttpServerProcess } from "../server-process.js";

const clients = 32;

/** A scenario that is repeated on one server. */
interface Scenario {
  readonly name: string;
  readonly form: Form;
  readonly calls: number;
  /** Milliseconds after which unused sessions end. */
  readonly idleMs: number;
  /** Milliseconds until ended sessions and calls are released. */
  readonly settleMs: number;
  /** Prepares the clients; returns the function that repeats the scenario. */
  begin(port: number): Promise<(calls: number) => Promise<void>>;
}

export function scenarios(scale: number): readonly Scenario[] {
  return [
    answered({ kind: "sessions", reply: "json" }, 200_000 * scale),
    answered({ kind: "sessions", reply: "sse" }, 200_000 * scale),
    answered({ kind: "stateless", reply: "json" }, 200_000 * scale),
    answered({ kind: "stateless", reply: "sse" }, 200_000 * scale),
    abandoned(100_000 * scale, 4_000 + 56_000 * scale),
    cut("calls whose stream is cut", "sessions", 100_000 * scale, (conversation, id) =>
      textOf(callOf(conversation, talking("work")), id),
    ),
    cut("calls whose stream is cut", "stateless", 100_000 * scale, (conversation, id) =>
      textOf(callOf(conversation, talking("hang")), id),
    ),
    cut("GET streams that are cut", "sessions", 100_000 * scale, listeningOf),
  ];
}

export async function growthOfServer(stage: Stage, scenario: Scenario): Promise<Growth> {
  const { name, form, calls, idleMs, settleMs, begin } = scenario;
  const args = [form.kind, form.reply, String(idleMs)];
  const server = await HttpServerProcess.start(stage.script("heap/server"), args, ["--expose-gc"]);
  const held = async (): Promise<number> => Number(await server.ask("held"));
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, settleMs));
  try {
    const run = await begin(server.port);
    await run(calls / 10);
    await settle();
    const before = await held();
    await run(calls);
    const atTheEnd = await held();
    await settle();
    return { ...growthOf(name, calls, before, await held()), atTheEnd };
  } finally {
    await server.close();
  }
}

/** Longer than the whole scenario. */
const forLong = { idleMs: 3_600_000, settleMs: 500 };

function answered(form: Form, calls: number): Scenario {
  return {
    ...forLong,
    name: `calls answered: ${nameOf(form)}`,
    form,
    calls,
    async begin(port) {
      const load = new Load(port, form);
      await load.open();
      return async (count) => {
        await load.connect();
        await load.pump(count);
        load.disconnect();
      };
    },
  };
}

/** The sessions must live until the last one is open. */
function abandoned(calls: number, idleMs: number): Scenario {
  const form: Form = { kind: "sessions", reply: "json" };
  return {
    name: "sessions opened and abandoned, after their idle time",
    form,
    calls,
    idleMs,
    settleMs: idleMs * 1.5,
    begin: (port) =>
      Promise.resolve((count) =>
        inParallel(count, async (next) => {
          const connection = await Connection.open(port);
          while (next()) await openOn(connection, form.kind);
          connection.close();
        }),
      ),
  };
}

/** Requests whose connection is closed once their stream has begun; every other one with a TCP reset. */
function cut(
  what: string,
  kind: Kind,
  calls: number,
  request: (conversation: Conversation, id: number) => string,
): Scenario {
  const form: Form = { kind, reply: "sse" };
  return {
    ...forLong,
    name: `${what} midway: ${nameOf(form)}`,
    form,
    calls,
    async begin(port) {
      const conversations = await Promise.all(Array.from({ length: clients }, () => openedAt(port, kind)));
      let id = firstId;
      return (count) =>
        inParallel(count, async (next, client) => {
          while (next()) {
            const text = request(conversations[client] as Conversation, ++id);
            const connection = await Connection.open(port);
            await connection.askUntil(text, text.startsWith("GET") ? "\r\n\r\n" : "notifications/progress");
            if (id % 2 === 0) connection.close();
            else connection.reset();
          }
        });
    },
  };
}

async function openedAt(port: number, kind: Kind): Promise<Conversation> {
  const connection = await Connection.open(port);
  const conversation = await openOn(connection, kind);
  connection.close();
  return conversation;
}

function talking(name: string): { readonly name: string; readonly _meta: object } {
  return { name, _meta: { progressToken: 1 } };
}

async function inParallel(count: number, work: (next: () => boolean, client: number) => Promise<void>): Promise<void> {
  let left = count;
  const next = (): boolean => left-- > 0;
  await Promise.all(Array.from({ length: clients }, (_, client) => work(next, client)));
}
