import { data, type Code } from "../../shared/code/code.js";
import { isObject } from "../../shared/is-object.js";
import { contentHash } from "../../shared/files/content-hash.js";
import type { Lists } from "../../shared/sessions/lists.js";

/** Something that a server lists, in short: what of it has changed can be told from this. */
interface Fact {
  readonly kind: string;
  readonly name: string;
  /** Digests by what is digested. */
  readonly digests: Readonly<Record<string, string>>;
}

const begin = "What the server listed; `mcpwright bind --check` tells what has changed since.";

/** A comment at the end of the client: one line for each thing that the server lists. */
export function printFacts(lists: Lists): Code {
  // A slash may be escaped in JSON; so nothing in it ends the comment.
  const lines = factsOf(lists).map((fact) => ` * ${data(fact).replaceAll("*/", "*\\/")}`);
  return ["/*", ` * ${begin}`, ...lines, " */", ""].join("\n") as Code;
}

/** Reads the facts of a client; undefined when it has none. */
export function readFacts(client: string): readonly Fact[] | undefined {
  const at = client.lastIndexOf(`/*\n * ${begin}\n`);
  if (at < 0) return undefined;
  const lines = client.slice(at).split("\n").slice(2);
  const end = lines.indexOf(" */");
  try {
    return lines.slice(0, Math.max(end, 0)).map((line) => JSON.parse(line.slice(3)) as Fact);
  } catch {
    return undefined;
  }
}

/** What is different between two states of a server, in sentences. */
export function sentencesOf(before: readonly Fact[], after: readonly Fact[]): readonly string[] {
  const old = byKey(before);
  const now = byKey(after);
  const keys = [...new Set([...old.keys(), ...now.keys()])];
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    const { kind = "", name = "" } = is ?? was ?? {};
    const what = `the ${kind} ${JSON.stringify(name)}`;
    if (!was) return [`${what} is new`];
    if (!is) return [`${what} is gone`];
    const parts = [...new Set([...Object.keys(was.digests), ...Object.keys(is.digests)])];
    return parts.flatMap((part) => {
      const [one, other] = [was.digests[part], is.digests[part]];
      if (one === other) return [];
      const how = one === undefined ? "has been added" : other === undefined ? "has been removed" : "has changed";
      return [`of ${what}, the ${part} ${how}`];
    });
  });
}

export function factsOf({ tools = [], prompts = [], resourceTemplates = [], resources = [] }: Lists): readonly Fact[] {
  return [
    ...tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) =>
      fact("tool", name, {
        input: inputSchema,
        output: outputSchema,
        documentation: { title, description, annotations },
      }),
    ),
    ...prompts.map(({ name, title, description, arguments: args }) =>
      fact("prompt", name, {
        arguments: args?.map((one) => [one.name, one.required === true]),
        documentation: { title, description, arguments: args?.map((one) => one.description) },
      }),
    ),
    ...resourceTemplates.map(({ uriTemplate, name, title, description, mimeType }) =>
      fact("resource template", uriTemplate, { name, documentation: { title, description, mimeType } }),
    ),
    ...resources.map(({ uri, name, title, description, mimeType }) =>
      fact("resource", uri, { name, documentation: { title, description, mimeType } }),
    ),
  ];
}

function fact(kind: string, name: string, parts: Readonly<Record<string, unknown>>): Fact {
  const digests = Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => [part, contentHash(canonical(value)).slice(0, 12)] as const);
  return { kind, name, digests: Object.fromEntries(digests) };
}

/** JSON in which the order of members is no difference. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

function byKey(facts: readonly Fact[]): ReadonlyMap<string, Fact> {
  return new Map(facts.map((one) => [`${one.kind} ${one.name}`, one]));
}
