import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestsByName } from "../../generator/shared/fidelity/digest.js";
import { applyLossyRules } from "../../generator/shared/fidelity/lossy-rules.js";
import {
  changedNames,
  lossyNames,
  pinnedDigests,
  printPins,
  type ExtensionPin,
  type ExtensionPins,
} from "../../generator/shared/fidelity/pins.js";
import { zodRules } from "../../generator/shared/fidelity/zod-rules.js";
import { readTypeScript } from "../../generator/pipeline/read/typescript.js";
import { schemaFolder } from "../../generator/shared/sources/schema-folder.js";

const folder = join(schemaFolder(), "extensions");
const pinsText = readFileSync(join(folder, "pins.json"), "utf8").replaceAll("\r\n", "\n");
const pins = JSON.parse(pinsText) as ExtensionPins;
const versions = foldersIn(folder).flatMap((name) =>
  foldersIn(join(folder, name)).map((version) => `${name}/${version}`),
);

function foldersIn(path: string): readonly string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function schemaText(id: string): string {
  return readFileSync(join(folder, id, "schema.ts"), "utf8");
}

/** Some specifications have no schema file: the overlay states it, and there is nothing to pin. */
const unpublished = versions.filter((id) => {
  const overlay = JSON.parse(readFileSync(join(folder, id, "overlay.json"), "utf8")) as {
    readonly schemaPublished?: boolean;
  };
  return overlay.schemaPublished === false;
});
const published = versions.filter((id) => !unpublished.includes(id));

function pinOf(id: string): ExtensionPin {
  const pin = pins[id];
  if (!pin) throw new Error(`${id} has no pin`);
  return pin;
}

test("every version of an extension has a schema and an overlay; those with a published schema have a pin, and every pin a version", () => {
  expect(Object.keys(pins)).toEqual([...published].sort());
  expect(unpublished).toEqual(["skills/draft"]);
  for (const id of versions)
    expect(["schema.ts", "overlay.json"].filter((name) => !existsSync(join(folder, id, name)))).toEqual([]);
});

test("the pins file equals the output of the script", () => {
  expect(pinsText).toBe(printPins(pins));
});

describe.each(published)("our schema.ts of %s", (id) => {
  const module = readTypeScript(schemaText(id), `${id}/schema.ts`);
  const pin = pinOf(id);

  test("states the same facts as the published schema.ts", () => {
    expect(digestsByName(module)).toEqual(pinnedDigests(pin, "ts"));
  });

  test("is pinned as a whole", () => {
    expect(pin.source).toMatch(/^https:\/\/.*(\/[0-9a-f]{40}\/|@\d+\.\d+\.\d+\/)/);
    expect(pin["schema.ts"]).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(pin.definitions)).toEqual(module.declarations.map(({ name }) => name).sort());
  });
});

const withJson = published.filter((id) => pinOf(id)["schema.json"] !== undefined);

describe.each(withJson)("the published schema.json of %s", (id) => {
  const module = readTypeScript(schemaText(id), `${id}/schema.ts`);
  const pin = pinOf(id);

  test("states the facts of our schema.ts after the rules of its printer", () => {
    expect(digestsByName(applyLossyRules(module, zodRules).module)).toEqual(pinnedDigests(pin, "json"));
  });

  test("is changed by each rule exactly where the pins list it", () => {
    expect(lossyNames(module, zodRules)).toEqual(pin.lossy);
    expect(pin["schema.json"]).toMatch(/^[0-9a-f]{64}$/);
  });
});

test("at least one extension has a pinned schema.json, so that the rules are tested", () => {
  expect(withJson).toContain("tasks/draft");
});

test.each(zodRules.map(({ id }) => id))("the rule %s is needed", (id) => {
  expect(Object.values(pins).flatMap(({ lossy }) => lossy[id] ?? [])).not.toEqual([]);
});

test.each<[fact: string, id: string, declaration: string, from: string, to: string]>([
  ["a required member becomes optional", "tasks/draft", "Task", "  ttlMs:", "  ttlMs?:"],
  ["null is removed", "tasks/draft", "Task", "number | null", "number"],
  ["an integer becomes any number", "tasks/draft", "Task", "@format int", "@category int"],
  ["a literal leaves an enumeration", "tasks/draft", "TaskStatus", '| "cancelled"', ""],
  ["a tag value changes", "tasks/draft", "CreateTaskResult", '"task"', '"tasks"'],
  ["a method changes", "tasks/draft", "GetTaskRequest", "tasks/get", "tasks/read"],
  ["a part of an intersection is removed", "tasks/draft", "GetTaskResult", "  DetailedTask & {", "  {"],
  ["an import has another name", "tasks/draft", "FailedTask", "JSONRPCErrorObject", "Result"],
  ["settings may have members", "tasks/draft", "TasksExtensionCapability", "never", "unknown"],
  ["an absent member becomes possible", "apps/2026-01-26", "McpUiToolMeta", "csp?: never", "csp?: string"],
  ["a key leaves a record", "apps/2026-01-26", "McpUiStyleVariableKey", '\n  | "--shadow-lg"', ""],
  ["a constant takes the method of another message", "apps/2026-01-26", "MESSAGE_METHOD", "Message", "OpenLink"],
  ["an alternative is removed", "apps/2026-01-26", "McpUiDownloadFileRequest", "EmbeddedResource | ", ""],
])("a digest notices that %s", (_, id, declaration, from, to) => {
  const changed = digestsByName(readTypeScript(edit(schemaText(id), declaration, from, to), "changed.ts"));
  expect(changedNames(pinnedDigests(pinOf(id), "ts"), changed)).toEqual([declaration]);
});

/** Replaces the first `from` in the text of a declaration. */
function edit(text: string, declaration: string, from: string, to: string): string {
  const start = text.search(new RegExp(`^export (declare )?\\w+ ${declaration}\\b`, "m"));
  const at = text.indexOf(from, start);
  const next = text.indexOf("\nexport ", start + 1);
  if (start < 0 || at < 0 || (next >= 0 && at > next)) throw new Error(`${declaration} does not contain ${from}`);
  return text.slice(0, at) + to + text.slice(at + from.length);
}
