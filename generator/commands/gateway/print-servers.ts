import { escapeLine } from "../../shared/command/escape-controls.js";
import { describeServer } from "./config/describe-server.js";
import type { ServerConfig } from "./config/gateway-config.js";

/** One line per server: its name, and its command or URL. Without arguments that could be secrets. */
export function printServers(servers: readonly ServerConfig[]): readonly string[] {
  const width = Math.max(0, ...servers.map(({ name }) => Math.min(name.length, 24)));
  return servers.map((server) => `  ${escapeLine(server.name, 60).padEnd(width)}  ${whereOf(server)}`);
}

function whereOf(server: ServerConfig): string {
  if (server.kind === "http") return describeServer(server).split("\n", 1)[0] ?? "";
  const words = server.args.map(({ source }) => source);
  const [first = "", second = ""] = words;
  const shown = (/^(-y|--yes|-m|run)$/.test(first) ? [first, second] : [first]).filter(isPublic);
  const isCut = shown.length < words.length;
  return escapeLine([server.command.source, ...shown, ...(isCut ? ["…"] : [])].join(" "));
}

/** The name of a package or file, or a short option: no assignment, URL or option that has a value. */
function isPublic(word: string): boolean {
  return word !== "" && !/[=?]|:\/\/|^--?\w{2,}/.test(word.replace(/^--yes$/, ""));
}
