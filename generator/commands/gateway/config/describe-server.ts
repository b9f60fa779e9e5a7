import { escapeLine } from "../../../shared/command/escape-controls.js";
import type { ConfigText } from "./config-text.js";
import type { HttpServerConfig, ServerConfig, StdioServerConfig } from "./gateway-config.js";

/**
 * Describes what a server starts or where it is, for people who approve it: the whole command on one line, in which words with
 * other characters than those of names and paths are quoted, and references are shown as they are written. Variables and headers
 * are listed by name only. The URL has no user and no query. Control characters and invisible characters are escaped.
 *
 * @example
 * ```text
 * npx -y @acme/server --root "/my files"
 *   in /proj, with the variables API_KEY and LOG_LEVEL
 * ```
 */
export function describeServer(server: ServerConfig): string {
  return server.kind === "stdio" ? describeCommand(server) : describeUrl(server);
}

function describeCommand({ command, args, cwd, env, envFile }: StdioServerConfig): string {
  const details = [
    ...(cwd ? [`in ${quoteWord(cwd.source)}`] : []),
    ...namesLine("the variables", "the variable", Object.keys(env)),
    ...(envFile ? [`with the variables of the file ${quoteWord(envFile.source)}`] : []),
  ];
  return lines([command, ...args].map(({ source }) => quoteWord(source)).join(" "), details);
}

function describeUrl({ url, headers, auth, logIn }: HttpServerConfig): string {
  const details = [
    ...namesLine("the headers", "the header", Object.keys(headers)),
    ...(auth.type === "service" ? ["logs in as a service"] : []),
    ...(logIn ? ["each user logs in"] : []),
  ];
  return lines(escape(publicUrl(url)), details);
}

function namesLine(several: string, one: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const listed = names.map(quoteWord);
  const last = listed.pop() ?? "";
  return [listed.length === 0 ? `with ${one} ${last}` : `with ${several} ${listed.join(", ")} and ${last}`];
}

function lines(first: string, details: readonly string[]): string {
  return details.length === 0 ? first : `${first}\n  ${details.join(", ")}`;
}

/** A word of a command line: as it is, or in quotes with escapes. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./\\~${}-]+$/.test(word) ? word : escape(JSON.stringify(word));
}

/** On one line, with every character visible and nothing left out. */
function escape(text: string): string {
  return escapeLine(text, Number.POSITIVE_INFINITY);
}

/** The URL without user, query and fragment. References are kept, but not their defaults, which are parts of URLs, too. */
export function publicUrl({ source }: ConfigText): string {
  const references: string[] = [];
  const marked = source.replace(/\$\{[^{}]*\}/g, (reference) => {
    references.push(reference.replace(/:-.*\}$/s, "}"));
    return `\uE000${references.length - 1}\uE001`;
  });
  return marked
    .replace(/[?#].*$/s, "")
    .replace(/^(\w+:\/\/)[^/]*@/, "$1")
    .replace(/\uE000(\d+)\uE001/g, (_, at: string) => references[Number(at)] ?? "");
}
