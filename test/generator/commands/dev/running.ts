import type { Side } from "@mcpwright/protocol/contract";
import { onTestFinished, vi } from "vitest";
import { dev, type DevOptions } from "../../../../generator/commands/dev/dev.js";
import type { RelayEvent } from "../../../../generator/commands/dev/relay-events.js";
import { InMemoryTransport } from "../../../../runtime/src/index.js";
import { Client } from "../../../../runtime/src/client.js";
import { exists } from "./raw-server.js";

export interface RunningDev {
  readonly lines: readonly string[];
  readonly events: readonly RelayEvent[];
  /** Ends it. */
  readonly end: () => Promise<void>;
  readonly ended: Promise<void>;
  /** The processes of servers that were started and still exist. */
  readonly processes: () => readonly number[];
}

/** Runs `dev` until the test has finished. */
export function running(options: DevOptions): RunningDev {
  const lines: string[] = [];
  const events: RelayEvent[] = [];
  const controller = new AbortController();
  const ended = dev({
    signal: controller.signal,
    types: false,
    print: (line) => lines.push(line),
    onEvent: (event) => events.push(event),
    ...options,
  });
  const end = async (): Promise<void> => {
    controller.abort();
    await ended.catch(() => undefined);
  };
  onTestFinished(end);
  const processes = (): readonly number[] =>
    events.flatMap((event) => (event.kind === "server-started" ? [event.pid] : [])).filter(exists);
  return { lines, events, end, ended, processes };
}

/** The same, with a client that is connected as the host. */
export async function connected(
  options: DevOptions,
  revisions?: readonly Side[],
): Promise<RunningDev & { readonly client: Client }> {
  const [clientEnd, serverEnd] = InMemoryTransport.createLinkedPair();
  const run = running({ transport: serverEnd, ...options });
  const client = new Client({ name: "test", version: "1.0.0" }, revisions && { revisions });
  await Promise.race([run.ended, client.connect(clientEnd)]);
  return { ...run, client };
}

/** The text of the result of the tool `text`. Calls that a restart ends are repeated, as users would do. */
export async function callText(client: Client): Promise<string> {
  return vi.waitFor(async () => {
    const { content } = await client.callTool({ name: "text", arguments: {} });
    return (content as readonly { readonly text: string }[])[0]?.text ?? "";
  });
}
