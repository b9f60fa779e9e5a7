import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { diffModels } from "../diff/diff-models.js";
import type { DiffFinding } from "../diff/finding.js";
import { printMember, printDefinition } from "../diff/print-type.js";
import { extensionsWith, readRevision, type ReadRevision } from "../diff/read-revision.js";
import { sendersOf } from "../diff/senders.js";
import { fail } from "../../shared/diagnostics/diagnostic.js";
import type { Definition, Deprecation, ProtocolModel, Side } from "../../shared/model/protocol.js";
import { closestName } from "../../shared/names/closest.js";
import { extensionNamed } from "../../shared/sources/extension-folder.js";
import { knownRevisions, schemaFolder } from "../../shared/sources/schema-folder.js";
import type { NameExplanation, MessageUse, RevisionChange } from "./explanation.js";
import { messagesWith, referencesTo } from "./uses.js";

export interface ExplainOptions {
  /** A type, such as `Tool`, or a method, such as `tools/call`. */
  readonly name: string;
  /** The revision, or the id or short name of the extension, to explain it in. Default: the newest revision that has it, or else an extension. */
  readonly revision?: string;
  /**
   * A revision or extension that is not in the package: a path or URL of its schema.ts, schema.json or model.json, its
   * generated folder, or the folder with the schema and overlay of an extension. Default: none.
   */
  readonly schema?: string;
  /** Paths or URLs of the files that `schema` imports, by specifier. Default: none. */
  readonly imports?: Readonly<Record<string, string>>;
}

/**
 * Explains a type or method: its definition, its history, its sender and the types that use it.
 * @throws DiagnosticError name-unknown, name-not-in-revision
 */
export async function explain({ name, schema, imports, ...options }: ExplainOptions): Promise<NameExplanation> {
  const own = schema === undefined ? undefined : await readRevision(schema, "unnamed", imports);
  const known = knownRevisions().filter((id) => id !== own?.model.revision);
  const extensions = (await extensionsWith(name)).filter(({ model }) => model.revision !== own?.model.revision);
  const isRevision = [undefined, own?.model.revision, ...known].includes(options.revision);
  const extension = isRevision ? undefined : await extensionNamed(options.revision ?? "");
  const revision = extension?.id ?? options.revision;
  const ids = [...known, ...extensions.map(({ model }) => model.revision), ...(own ? [own.model.revision] : [])];
  if (revision !== undefined && !extension && !ids.includes(revision))
    fail("revision-unknown", { revision, known: ids.join(", ") });
  const revisions = [
    ...(await Promise.all(known.map((id) => readRevision(id, id)))),
    ...(own && !own.own ? [own] : []),
  ];
  // Extensions are not part of the history; they come first, so that a revision is shown where both have the name.
  const all = [...extensions, ...revisions, ...(own?.own ? [own] : [])];
  const holding = all.filter((read) => kindIn(name, read));
  if (holding.length === 0) refuse(name, all);
  const shown = revision === undefined ? holding.at(-1) : holding.find(({ model }) => model.revision === revision);
  if (!shown)
    return fail("name-not-in-revision", {
      name,
      revision: revision ?? "",
      revisions: holding.map(({ model }) => model.revision).join(", "),
    });
  const kind = kindOf(name, shown.model) ?? "type";
  return {
    format: 1,
    name,
    kind,
    ...(await describe(name, kind, shown)),
    revisions: [...revisions, ...extensions, ...(own?.own ? [own] : [])].map((read) => ({
      revision: read.model.revision,
      present: kindIn(name, read) !== undefined,
    })),
    changes: changesOf(name, kind, revisions),
  };
}

/** An extension has only what it adds; its revision has the rest. */
function kindIn(name: string, { model, own }: ReadRevision): NameExplanation["kind"] | undefined {
  return own && !own.has(name) ? undefined : kindOf(name, model);
}

function kindOf(
  name: string,
  { definitions, requests, notifications, inputRequests }: ProtocolModel,
): NameExplanation["kind"] | undefined {
  if (definitions.some((definition) => definition.name === name)) return "type";
  return [...requests, ...notifications, ...inputRequests].some(({ method }) => method === name) ? "method" : undefined;
}

function refuse(name: string, all: readonly ReadRevision[]): never {
  const names = [
    ...new Set(
      all.flatMap(({ model }) => [
        ...model.definitions.map((definition) => definition.name),
        ...[...model.requests, ...model.notifications, ...model.inputRequests].map(({ method }) => method),
      ]),
    ),
  ];
  const meant = [...new Set([closestName(name, names), ...containing(name, names)])].filter(
    (found) => found !== undefined,
  );
  const hint =
    meant.length === 0 ? "`mcpwright model` prints all that a revision has." : `Did you mean ${meant.join(" or ")}?`;
  return fail("name-unknown", { name, hint });
}

/** The shortest names that a name is part of. */
function containing(part: string, names: readonly string[]): readonly string[] {
  if (part.length < 3) return [];
  const found = names.filter((name) => name.toLowerCase().includes(part.toLowerCase()));
  return found.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)).slice(0, 3);
}

type Description = Omit<NameExplanation, "format" | "name" | "kind" | "revisions" | "changes">;

async function describe(name: string, kind: NameExplanation["kind"], shown: ReadRevision): Promise<Description> {
  const { model, locate } = shown;
  const messages = messagesWith(name, kind, model);
  const type = kind === "method" ? (messages[0]?.type ?? "") : name;
  const definition = model.definitions.find((found) => found.name === type);
  const deprecated = deprecationOf(name, kind, definition, model);
  const place = locate({
    kind: "schema",
    path: definition?.derivedFrom === undefined ? [type] : [definition.derivedFrom, "params"],
  });
  const link = linkOf(name, kind, definition, model);
  const sentBy = kind === "method" ? sides(messages.map(({ sender }) => sender)) : (sendersOf(model).get(name) ?? []);
  return {
    revision: model.revision,
    ...place,
    ...(link !== undefined && { link }),
    ...(definition?.text !== undefined && { text: definition.text }),
    ...(deprecated && { deprecated: deprecated.text }),
    declaration: definition ? declarationOf(definition) : "",
    messages,
    sentBy,
    ...(shown.roles && { roles: shown.roles }),
    receivedBy: sides(sentBy.map((side) => (side === "client" ? "server" : "client"))),
    referredToBy: referencesTo(type, model),
    corrections: await correctionsOf(type, model.revision),
  };
}

function sides(list: readonly Side[]): readonly Side[] {
  return (["client", "server"] as const).filter((side) => list.includes(side));
}

function linkOf(
  name: string,
  kind: NameExplanation["kind"],
  definition: Definition | undefined,
  model: ProtocolModel,
): string | undefined {
  const messages = [...model.requests, ...model.notifications, ...model.inputRequests];
  const message = kind === "method" ? messages.find(({ method }) => method === name) : undefined;
  return message?.link ?? definition?.link;
}

function deprecationOf(
  name: string,
  kind: NameExplanation["kind"],
  definition: Definition | undefined,
  { requests, notifications, inputRequests }: ProtocolModel,
): Deprecation | undefined {
  if (kind === "type") return definition?.deprecated;
  return [...requests, ...notifications, ...inputRequests].find(({ method }) => method === name)?.deprecated;
}

function declarationOf(definition: Definition): string {
  if (definition.kind === "alias") return `type ${definition.name} = ${printDefinition(definition)}`;
  const { name, bases, members, index } = definition;
  const lines = members.map((member) => {
    const from = member.inheritedFrom === undefined ? "" : ` // from ${member.inheritedFrom}`;
    return `  ${printMember(member)};${from}`;
  });
  if (index) lines.push(`  [key: string]: ${printDefinition({ kind: "alias", name, type: index })};`);
  const extended = bases.length > 0 ? ` extends ${bases.join(", ")}` : "";
  return [`interface ${name}${extended} {`, ...lines, "}"].join("\n");
}

/** Findings between neighbours that are about it. */
function changesOf(
  name: string,
  kind: NameExplanation["kind"],
  all: readonly ReadRevision[],
): readonly RevisionChange[] {
  return all.flatMap((after, index) => {
    const before = all[index - 1];
    if (!before) return [];
    const roots = new Set([
      name,
      ...[before, after].flatMap(({ model }) => (kind === "method" ? partsOf(name, model) : [])),
    ]);
    const findings = diffModels(before.model, after.model, { before: before.locate, after: after.locate }).filter(
      (finding) => isAbout(finding, roots),
    );
    return findings.length === 0 ? [] : [{ from: before.model.revision, to: after.model.revision, findings }];
  });
}

/** The types that are a method's alone: its message, params and results. */
function partsOf(name: string, model: ProtocolModel): readonly string[] {
  return messagesWith(name, "method", model).flatMap(({ type, params, result, alternatives }: MessageUse) => [
    type,
    ...(params === undefined ? [] : [params]),
    ...(result === undefined ? [] : [result]),
    ...alternatives,
  ]);
}

function isAbout({ at, rule, before, after }: DiffFinding, roots: ReadonlySet<string>): boolean {
  const place = at.replace(/^(client|server) /, "");
  const root = /^[\w$]+/.exec(place)?.[0] ?? "";
  if (roots.has(place) || roots.has(root)) return true;
  return rule === "definition-renamed" && [before?.text, after?.text].some((text) => roots.has(text ?? ""));
}

type Corrections = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Paths of the corrections that begin with the type. */
async function correctionsOf(type: string, revision: string): Promise<readonly string[]> {
  const all = JSON.parse(await readFile(join(schemaFolder(), "corrections.json"), "utf8")) as Corrections;
  const own = Object.hasOwn(all, revision) ? (all[revision] ?? {}) : {};
  return Object.entries(own).flatMap(([kind, value]) =>
    textsIn(value)
      .filter((path) => path === type || path.startsWith(`${type}/`))
      .map((path) => `${kind}: ${path}`),
  );
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
