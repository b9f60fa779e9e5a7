import { data, type Code } from "../../shared/code/code.js";
import { isObject } from "../../shared/is-object.js";
import { contentHash } from "../../shared/files/content-hash.js";
import type { ServerLists } from "../../shared/sessions/server-lists.js";

/** A fingerprint of an item that a server lists, by which changes are detected. */
interface ListedItem {
  readonly kind: string;
  readonly name: string;
  /** Digests by the part of the item. */
  readonly digests: Readonly<Record<string, string>>;
}

const begin = "The lists of the server; `mcpwright bind --check` compares them with the current ones.";

/** The comment at the end of the client: one line per item that the server lists. */
export function printListing(lists: ServerLists): Code {
  // JSON allows an escaped slash, so no value ends the comment.
  const lines = listingOf(lists).map((fact) => ` * ${data(fact).replaceAll("*/", "*\\/")}`);
  return ["/*", ` * ${begin}`, ...lines, " */", ""].join("\n") as Code;
}

/** Reads the listing of a client; undefined if there is none. */
export function readListing(client: string): readonly ListedItem[] | undefined {
  const at = client.lastIndexOf(`/*\n * ${begin}\n`);
  if (at < 0) return undefined;
  const lines = client.slice(at).split("\n").slice(2);
  const end = lines.indexOf(" */");
  try {
    return lines.slice(0, Math.max(end, 0)).map((line) => JSON.parse(line.slice(3)) as ListedItem);
  } catch {
    return undefined;
  }
}

/** The differences between two states of a server, as sentences. */
export function describeChanges(before: readonly ListedItem[], after: readonly ListedItem[]): readonly string[] {
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

export function listingOf({
  tools = [],
  prompts = [],
  resourceTemplates = [],
  resources = [],
}: ServerLists): readonly ListedItem[] {
  return [
    ...tools.map(({ name, title, description, annotations, inputSchema, outputSchema }) =>
      listedItem("tool", name, {
        input: inputSchema,
        output: outputSchema,
        documentation: { title, description, annotations },
      }),
    ),
    ...prompts.map(({ name, title, description, arguments: args }) =>
      listedItem("prompt", name, {
        arguments: args?.map((one) => [one.name, one.required === true]),
        documentation: { title, description, arguments: args?.map((one) => one.description) },
      }),
    ),
    ...resourceTemplates.map(({ uriTemplate, name, title, description, mimeType }) =>
      listedItem("resource template", uriTemplate, { name, documentation: { title, description, mimeType } }),
    ),
    ...resources.map(({ uri, name, title, description, mimeType }) =>
      listedItem("resource", uri, { name, documentation: { title, description, mimeType } }),
    ),
  ];
}

function listedItem(kind: string, name: string, parts: Readonly<Record<string, unknown>>): ListedItem {
  const digests = Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => [part, contentHash(canonical(value)).slice(0, 12)] as const);
  return { kind, name, digests: Object.fromEntries(digests) };
}

/** JSON with sorted members, so that their order does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}

function byKey(facts: readonly ListedItem[]): ReadonlyMap<string, ListedItem> {
  return new Map(facts.map((one) => [`${one.kind} ${one.name}`, one]));
}
