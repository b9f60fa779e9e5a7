import { describe, expect, test } from "vitest";
import type { Definition, MemberModel, TypeModel } from "../../generator/shared/model/protocol.js";
import { buildModel } from "../../generator/pipeline/passes/build-model.js";
import { readDocs, type Docs } from "../../generator/pipeline/passes/read-docs.js";
import { readDocsText } from "../../generator/shared/sources/schema-folder.js";
import { overlayOf, revisions, schemaModule } from "./folder.js";

interface Text {
  readonly type: string;
  readonly path: string;
  /** The revision from which the text applies; absent when there is only one text. */
  readonly from?: string;
  readonly text: string;
}

const file = await readDocsText();
const docs = readDocs(file.text, file.file, revisions);
const entries = JSON.parse(file.text) as Record<string, Record<string, string | Record<string, string>>>;
const texts: readonly Text[] = Object.entries(entries).flatMap(([type, paths]) =>
  Object.entries(paths).flatMap(([path, text]) =>
    typeof text === "string"
      ? [{ type, path, text }]
      : Object.entries(text).map(([from, text]): Text => ({ type, path, from, text })),
  ),
);
const label = ({ type, path, from }: Omit<Text, "text">): string => [type, path, from].filter(Boolean).join(" ");

/** The texts that the models of all revisions take from docs.json. */
const used = new Set<string>();
const recording: Docs = {
  text(type, path, revision) {
    const text = docs.text(type, path, revision);
    if (text !== undefined) used.add(label({ type, path }) + text);
    return text;
  },
};
const models = await Promise.all(
  revisions.map(
    async (revision) => buildModel(schemaModule(revision), revision, await overlayOf(revision), recording).model,
  ),
);

test.each(models)("every type and member of $revision has a text", ({ definitions }) => {
  expect(definitions.flatMap(untold)).toEqual([]);
});

test("every text is used", () => {
  expect(texts.filter((text) => !used.has(label({ type: text.type, path: text.path }) + text.text)).map(label)).toEqual(
    [],
  );
});

test("texts change only at known revisions, and only if the words differ", () => {
  const changes = Object.values(entries).flatMap((paths) =>
    Object.values(paths).filter((text) => typeof text !== "string"),
  );
  expect(texts.filter(({ from }) => from !== undefined && !revisions.includes(from)).map(label)).toEqual([]);
  expect(changes.map((change) => Object.keys(change))).toEqual(changes.map((change) => Object.keys(change).sort()));
  expect(
    changes.filter((change) => new Set(Object.values(change)).size < Math.max(2, Object.keys(change).length)),
  ).toEqual([]);
});

test.each<[rule: string, fails: (text: Text) => boolean]>([
  ["says more than the name", repeatsName],
  ["ends with a period", ({ text }) => !text.endsWith(".")],
  ["has no surrounding or repeated spaces", ({ text }) => text !== text.trim().replace(/\s+/g, " ")],
  ["has at most 220 characters", ({ text }) => text.length > 220],
  ["begins with a capital letter or a code", ({ text }) => !/^[A-Z`]/.test(text)],
])("every text %s", (_, fails) => {
  expect(texts.filter(fails).map((text) => `${label(text)}: ${text.text}`)).toEqual([]);
});

describe("a text that only repeats the name", () => {
  test.each<[type: string, path: string, text: string, repeats: boolean]>([
    ["Tool", "name", "The name of the tool.", true],
    ["Tool", "name", "Tool's name.", true],
    ["Tool", "", "A tool.", true],
    ["ListToolsResult", "tools", "A list of tools.", true],
    ["ServerCapabilities", "prompts.listChanged", "Whether the list of prompts has changed.", true],
    ["Tool", "name", "Key for `tools/call`; unique on a server.", false],
    ["Tool", "", "A function that the model can call.", false],
  ])("%s %s: %s", (type, path, text, repeats) => {
    expect(repeatsName({ type, path, text })).toBe(repeats);
  });
});

/** Paths of a definition and of members that need a text but have none. */
function untold(definition: Definition): readonly string[] {
  const members = definition.kind === "struct" ? definition.members : inlineMembers(definition.type);
  const own = members.flatMap((member) => untoldMember(member, definition.name, true));
  return definition.text === undefined ? [definition.name, ...own] : own;
}

/** Literals and the members of envelopes need no text; their types describe them. */
function untoldMember(member: MemberModel, owner: string, outermost: boolean): readonly string[] {
  const path = `${owner}.${member.name}`;
  const isPart = outermost && ["params", "result", "error"].includes(member.name);
  const inner = inlineMembers(member.type).flatMap((found) => untoldMember(found, path, false));
  return member.text !== undefined || member.type.kind === "literal" || isPart ? inner : [path, ...inner];
}

function inlineMembers(type: TypeModel): readonly MemberModel[] {
  switch (type.kind) {
    case "struct":
      return type.members;
    case "array":
      return inlineMembers(type.items);
    case "map":
      return inlineMembers(type.values);
    case "union":
      return type.members.flatMap(inlineMembers);
    default:
      return [];
  }
}

const stopWords = new Set(
  `a an the this that these those it its of to for from by with in on at as and or not no is are be been has have
  which who whose what whether when if any all each every one some s may can will`.split(/\s+/),
);

/** Whether all words of a text that carry meaning are in the names that it describes. */
function repeatsName({ type, path, text }: Omit<Text, "from">): boolean {
  const names = new Set(words(`${type} ${path}`));
  return words(text).every((word) => stopWords.has(word) || names.has(word));
}

/** Lower case, camelCase split, plurals reduced. */
function words(text: string): readonly string[] {
  const parts = text.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase();
  return (parts.match(/[a-z0-9]+/g) ?? []).map((word) =>
    stopWords.has(word) ? word : word.replace(/(?<=[^s].)s$/, ""),
  );
}
