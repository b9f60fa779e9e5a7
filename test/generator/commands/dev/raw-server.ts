import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, vi } from "vitest";
import type { RelayEvent } from "../../../../generator/commands/dev/relay-events.js";
import { Relay, type RelayOptions } from "../../../../generator/commands/dev/relay.js";
import { isObject } from "../../../../generator/shared/is-object.js";
import { temporaryFolder } from "../../../support/temporary-folder.js";

type Message = Readonly<Record<string, unknown>>;

/** A server of a few lines that answers what the tests need. `version` is what its tool returns. */
export interface RawServer {
  readonly version?: string;
  /** Default: `{ tools: {} }`. */
  readonly capabilities?: object;
  /** Statements that run first. */
  readonly first?: string;
  /** Statements for each message `m`, with `answer(result)` and `send(message)`; `return` skips the default. */
  readonly each?: string;
}

export function rawServer({ version = "1", capabilities = { tools: {} }, first = "", each = "" }: RawServer): string {
  return `
    import { createInterface } from "node:readline";
    const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
    const capabilities = ${JSON.stringify(capabilities)};
    const seen = [];
    ${first}
    createInterface({ input: process.stdin }).on("line", (line) => {
      const m = JSON.parse(line);
      for (const one of Array.isArray(m) ? m : [m]) seen.push(one.method ?? "response " + one.id);
      const answer = (result, id = m.id) => send({ id, result });
      ${each}
      if (m.method === "initialize") return answer({ protocolVersion: m.params.protocolVersion, capabilities });
      if (m.method === "server/discover") return answer({ capabilities });
      if (m.method === "tools/call") return answer({ content: [{ type: "text", text: ${JSON.stringify(version)} }], pid: process.pid, seen });
      if (m.id !== undefined && m.method) answer({});
    });`;
}

/** A relay with one host before a server in a temporary folder. */
export interface RelayedHost {
  readonly relay: Relay;
  readonly connection: ReturnType<Relay["connect"]>;
  readonly events: readonly RelayEvent[];
  /** What the host has received. */
  readonly received: readonly unknown[];
  /** Replaces the server and restarts it. */
  readonly edit: (server: RawServer | string) => void;
  readonly send: (message: unknown) => void;
  /** Sends a request and resolves with the response. */
  readonly ask: (method: string, params?: object) => Promise<Message>;
  /** Resolves with the first message that fits, from the ones received after the last `edit` or `ask`. */
  readonly message: (isWanted: (message: Message) => boolean) => Promise<Message>;
  readonly event: <Kind extends RelayEvent["kind"]>(kind: Kind) => Promise<Extract<RelayEvent, { kind: Kind }>>;
  /** Opens a handshake-era session. */
  readonly open: (protocolVersion?: string) => Promise<Message>;
}

export function relayed(server: RawServer | string = {}, options: Partial<RelayOptions> = {}): RelayedHost {
  const file = join(temporaryFolder("dev"), "server.mjs");
  const write = (one: RawServer | string): void => writeFileSync(file, typeof one === "string" ? one : rawServer(one));
  write(server);
  const relay = new Relay({ command: () => ({ command: process.execPath, args: [file] }), ...options });
  const events: RelayEvent[] = [];
  const received: unknown[] = [];
  let [fromEvent, fromMessage, count] = [0, 0, 0];
  relay.listen((event) => events.push(event));
  const connection = relay.connect({ name: "test", send: (unit) => received.push(unit) });
  onTestFinished(() => relay.close());
  const message: RelayedHost["message"] = (isWanted) =>
    vi.waitFor(() => {
      const found = received.slice(fromMessage).find((one) => isObject(one) && isWanted(one));
      if (!found) throw new Error(`not received: ${JSON.stringify(received)}, ${JSON.stringify(events.slice(-6))}`);
      return found as Message;
    });
  const ask: RelayedHost["ask"] = (method, params = {}) => {
    const id = ++count;
    connection.receive({ jsonrpc: "2.0", id, method, params });
    return message((one) => one["id"] === id && !("method" in one));
  };
  return {
    relay,
    connection,
    events,
    received,
    message,
    ask,
    send: (one) => connection.receive(one),
    edit(one) {
      write(one);
      [fromEvent, fromMessage] = [events.length, received.length];
      relay.restart("server.mjs changed");
    },
    event: (kind) =>
      vi.waitFor(() => {
        const found = events.slice(fromEvent).find((one) => one.kind === kind);
        if (!found) throw new Error(`no ${kind} in ${JSON.stringify(events.slice(fromEvent))}`);
        return found as never;
      }),
    async open(protocolVersion = "2025-11-25") {
      const response = await ask("initialize", {
        protocolVersion,
        capabilities: {},
        clientInfo: { name: "t", version: "1" },
      });
      connection.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
      return response;
    },
  };
}

/** Whether a process exists. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
