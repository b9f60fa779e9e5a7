import { hosts, type Host, type HostId } from "../../../shared/hosts/hosts.js";
import type { Entry } from "../documents/server-document.js";
import { isConnectionField } from "./connection-fields.js";

export interface CommandServer {
  readonly kind: "command";
  readonly command: string;
  readonly args: readonly string[];
  /** Values of variables. May be secrets: never print them. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of variables that the host takes from its own environment. */
  readonly variables: readonly string[];
}

export interface UrlServer {
  readonly kind: "url";
  readonly url: string;
}

export type Server = CommandServer | UrlServer;

/** How a host uses a server. */
export interface HostEntry {
  readonly entry: Entry;
  /** The program that the host starts, with its arguments; undefined when it connects to a URL. */
  readonly starts: readonly string[] | undefined;
  /** What is special about it in this host. */
  readonly notes: readonly string[];
}

/** The entry of a server in the format of a host. */
export function makeEntry(id: HostId, server: Server): HostEntry {
  const host: Host = hosts[id];
  if (server.kind === "command") return commandEntry(host, server);
  if (host.url) return { entry: { ...host.url.further, [host.url.member]: server.url }, starts: undefined, notes: [] };
  const gateway: CommandServer = {
    kind: "command",
    command: "npx",
    args: ["-y", "mcpwright", "gateway", server.url],
    env: {},
    variables: [],
  };
  const made = commandEntry(host, gateway);
  const note = `${host.title} only starts commands from its file: mcpwright gateway connects it to the URL.`;
  return { ...made, notes: [note, ...made.notes] };
}

/** An entry with the settings that the user has added to the earlier one. */
export function mergeEntry(before: Entry | undefined, entry: Entry): Entry {
  const kept = Object.entries(before ?? {}).filter(([name]) => !isConnectionField(name));
  return { ...entry, ...Object.fromEntries(kept) };
}

function commandEntry({ title, command: further, variable }: Host, server: CommandServer): HostEntry {
  const { command, args, env, variables } = server;
  const references =
    variable && "value" in variable
      ? variables.map((name) => [name, variable.value.replace("NAME", () => name)] as const)
      : [];
  const values = { ...env, ...Object.fromEntries(references) };
  return {
    entry: {
      ...further,
      command,
      args,
      ...(Object.keys(values).length > 0 && { env: values }),
      ...(variable && "list" in variable && variables.length > 0 && { [variable.list]: variables }),
    },
    starts: [command, ...args],
    notes: variables.map((name) => `${name}: ${title} takes the value from its own environment.`),
  };
}
