import type { Stage } from "../../shared/stage.js";
import { Connection } from "../connection.js";
import { firstId, type Form, type Kind, listeningOf, subscribingOf } from "../forms.js";
import { openOn } from "../load.js";
import { HttpServerProcess } from "../server-process.js";

/** Connections that are opened at the same time. */
const parallel = 32;

/** Things that a client opens and keeps open. */
export interface Scenario {
  readonly name: string;
  readonly script: string;
  readonly form: Form;
  /** The most heap bytes of each; undefined for a floor. */
  readonly most?: number;
  /** Opens one. Returns the connection that has to stay open, if there is one. */
  open(port: number, id: number): Promise<Connection | undefined>;
}

export interface Held {
  readonly name: string;
  readonly count: number;
  readonly bytesEach: number;
  readonly most: number | undefined;
}

const ours = "heap/server";

export const scenarios: readonly Scenario[] = [
  {
    name: "idle session",
    script: ours,
    form: { kind: "sessions", reply: "json" },
    most: 1_300,
    async open(port) {
      const connection = await Connection.open(port);
      await openOn(connection, "sessions");
      connection.close();
      return undefined;
    },
  },
  {
    name: "open response of bare node:http",
    script: "open/floor",
    form: { kind: "stateless", reply: "sse" },
    async open(port) {
      const connection = await Connection.open(port);
      await connection.askUntil("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", ": open");
      return connection;
    },
  },
  {
    name: "session with a GET stream",
    script: ours,
    form: { kind: "sessions", reply: "sse" },
    async open(port) {
      const connection = await Connection.open(port);
      const conversation = await openOn(connection, "sessions");
      await connection.askUntil(listeningOf(conversation), "\r\n\r\n");
      return connection;
    },
  },
  {
    name: "subscriptions/listen stream",
    script: ours,
    form: { kind: "stateless", reply: "sse" },
    async open(port, id) {
      const connection = await Connection.open(port);
      const conversation = { kind: "stateless" as Kind, version: "2026-07-28", session: undefined };
      await connection.askUntil(subscribingOf(conversation, id), "notifications/subscriptions/acknowledged");
      return connection;
    },
  },
];

/** Heap bytes of each of `count` open things, after a tenth as many were opened first. */
export async function measureHeld(stage: Stage, scenario: Scenario, count: number): Promise<Held> {
  const { name, script, form, most } = scenario;
  const idleMs = 3_600_000;
  const args = [form.kind, form.reply, String(idleMs)];
  const server = await HttpServerProcess.start(stage.script(script), args, ["--expose-gc"]);
  const kept: Connection[] = [];
  let id = firstId;
  const openMany = async (many: number): Promise<void> => {
    let left = many;
    const work = async (): Promise<void> => {
      while (left-- > 0) {
        const connection = await scenario.open(server.port, ++id);
        if (connection) kept.push(connection);
      }
    };
    await Promise.all(Array.from({ length: parallel }, work));
  };
  try {
    await openMany(count / 10);
    const before = Number(await server.ask("held"));
    await openMany(count);
    const after = Number(await server.ask("held"));
    return { name, count, bytesEach: (after - before) / count, most };
  } finally {
    for (const connection of kept) connection.close();
    await server.close();
  }
}
