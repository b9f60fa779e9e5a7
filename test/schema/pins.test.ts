import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { digestsByName } from "../../generator/shared/fidelity/digest.js";
import { applyLossyRules, lossyRules } from "../../generator/shared/fidelity/lossy-rules.js";
import {
  changedNames,
  lossyNames,
  pinDrift,
  pinnedDigests,
  printPins,
  type RevisionPin,
} from "../../generator/shared/fidelity/pins.js";
import { readTypeScript } from "../../generator/pipeline/read/typescript.js";
import { schemaFolder } from "../../generator/shared/sources/schema-folder.js";
import { readPins, revisions, schemaModule, schemaText } from "./folder.js";

const pins = readPins();

function pinOf(revision: string): RevisionPin {
  const pin = pins[revision];
  if (!pin) throw new Error(`${revision} has no pin`);
  return pin;
}

describe.each(revisions)("our schema.ts of %s", (revision) => {
  const module = schemaModule(revision);
  const pin = pinOf(revision);

  test("states the same facts as the published schema.ts", () => {
    expect(digestsByName(module)).toEqual(pinnedDigests(pin, "ts"));
  });

  test("states the same facts as the published schema.json after the lossy rules", () => {
    expect(digestsByName(applyLossyRules(module).module)).toEqual(pinnedDigests(pin, "json"));
  });

  test("is changed by each lossy rule exactly where the pins list it", () => {
    expect(lossyNames(module)).toEqual(pin.lossy);
  });

  test("is pinned as a whole", () => {
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect(pin).toMatchObject({
      commit: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      "schema.ts": sha256,
      "schema.json": sha256,
    });
    const printed = module.declarations.filter(({ kind }) => kind !== "constant").map(({ name }) => name);
    expect(Object.keys(pinnedDigests(pin, "json"))).toEqual(printed.sort());
    const digests = Object.values(pin.definitions).flatMap(({ ts, json = ts }) => [ts, json]);
    expect(digests.filter((digest) => !/^[0-9a-f]{16}$/.test(digest))).toEqual([]);
  });
});

test("every revision has a pin, and every pin a revision", () => {
  expect(Object.keys(pins)).toEqual(revisions);
});

test.each(lossyRules.map(({ id }) => id))("the lossy rule %s is needed", (id) => {
  expect(Object.values(pins).flatMap(({ lossy }) => lossy[id] ?? [])).not.toEqual([]);
});

test("no pin names a lossy rule that does not exist", () => {
  const known = lossyRules.map(({ id }) => id);
  expect(
    Object.values(pins)
      .flatMap(({ lossy }) => Object.keys(lossy))
      .filter((id) => !known.includes(id)),
  ).toEqual([]);
});

/** One fact of a declaration is changed; only its own digest may change. */
test.each<[fact: string, revision: string, declaration: string, from: string, to: string]>([
  ["a required member becomes optional", "2026-07-28", "Tool", "  inputSchema:", "  inputSchema?:"],
  ["an optional member becomes required", "2025-06-18", "Prompt", "description?:", "description:"],
  ["a nested member becomes optional", "2024-11-05", "JSONRPCError", "    code:", "    code?:"],
  ["a member is removed", "2025-03-26", "Implementation", "  version: string;\n", ""],
  [
    "a member is added",
    "2025-03-26",
    "Implementation",
    "  version: string;\n",
    "  version: string;\n  build?: string;\n",
  ],
  ["a member is renamed", "2025-11-25", "ModelHint", "name?:", "names?:"],
  ["null is removed", "2025-11-25", "Task", "ttl: number | null;", "ttl: number;"],
  ["null is added", "2024-11-05", "RequestId", "string | number", "string | number | null"],
  ["number becomes string", "2025-06-18", "ModelPreferences", "costPriority?: number", "costPriority?: string"],
  ["a literal changes", "2024-11-05", "PingRequest", '"ping"', '"pong"'],
  ["a literal becomes string", "2025-03-26", "TextContent", '"text"', "string"],
  ["a literal leaves an enumeration", "2025-11-25", "TaskStatus", '| "cancelled"', ""],
  ["an enumeration opens", "2025-06-18", "Role", '"user"', 'string | "user"'],
  ["an enumeration closes", "2026-07-28", "ResultType", " | string", ""],
  ["a constant's number changes", "2026-07-28", "UNSUPPORTED_PROTOCOL_VERSION", "-32022", "-32023"],
  ["a constant's text changes", "2024-11-05", "JSONRPC_VERSION", '"2.0"', '"2.1"'],
  ["a constant's name gives way to its value", "2024-11-05", "JSONRPCResponse", "typeof JSONRPC_VERSION", '"2.0"'],
  ["an extends entry is removed", "2025-06-18", "Tool", "extends BaseMetadata ", ""],
  [
    "an extends entry changes",
    "2025-11-25",
    "CancelledNotification",
    "extends JSONRPCNotification",
    "extends Notification",
  ],
  ["an extends entry is added", "2024-11-05", "TextContent", "extends Annotated", "extends Annotated, Result"],
  ["an omitted key changes", "2026-07-28", "HeaderMismatchError", '"error"', '"id"'],
  ["a format changes", "2025-03-26", "Root", "@format uri", "@format uri-template"],
  ["a bound changes", "2025-11-25", "Annotations", "@maximum 1", "@maximum 10"],
  ["a number of items changes", "2026-07-28", "CompleteResult", "@maxItems 100", "@maxItems 101"],
  ["a JSON type is removed", "2025-11-25", "NumberSchema", "@TJS-type number", "@category"],
  ["a null tag is removed", "2025-11-25", "Task", "@nullable", "@category"],
  ["an internal type becomes public", "2025-11-25", "ServerResult", "/** @internal */\n", ""],
  ["a deprecation is removed", "2026-07-28", "LoggingLevel", "/** @deprecated */\n", ""],
  ["an open type closes", "2024-11-05", "Result", "  [key: string]: unknown;\n", ""],
  [
    "a closed type opens",
    "2025-06-18",
    "Implementation",
    "  version: string;\n",
    "  version: string;\n  [key: string]: unknown;\n",
  ],
  ["an alternative is removed", "2025-06-18", "ContentBlock", "| ResourceLink", ""],
  ["a list becomes a single value", "2025-03-26", "ListRootsResult", "Root[]", "Root"],
])("a digest notices that %s", (_, revision, declaration, from, to) => {
  const changed = digestsByName(readTypeScript(edit(schemaText(revision), declaration, from, to), "changed.ts"));
  expect(changedNames(pinnedDigests(pinOf(revision), "ts"), changed)).toEqual([declaration]);
});

test.each<[change: string, revision: string, declaration: string, from: string, to: string]>([
  [
    "the order of members",
    "2025-03-26",
    "Implementation",
    "  name: string;\n  version: string;",
    "  version: string;\n  name: string;",
  ],
  ["the order of alternatives", "2024-11-05", "RequestId", "string | number", "number | string"],
  ["a comment", "2025-03-26", "Implementation", "  version: string;", "  /** Of the program. */\n  version: string;"],
])("a digest does not notice %s", (_, revision, declaration, from, to) => {
  const changed = digestsByName(readTypeScript(edit(schemaText(revision), declaration, from, to), "changed.ts"));
  expect(changedNames(pinnedDigests(pinOf(revision), "ts"), changed)).toEqual([]);
});

/** Replaces the first `from` in the text of a declaration. */
function edit(text: string, declaration: string, from: string, to: string): string {
  const blocks = text.split("\n\n");
  const at = blocks.findIndex((block) => new RegExp(`^export \\w+ ${declaration}\\b`, "m").test(block));
  const block = blocks[at];
  if (!block?.includes(from)) throw new Error(`${declaration} does not contain ${from}`);
  return blocks
    .with(
      at,
      block.replace(from, () => to),
    )
    .join("\n\n");
}

describe("the pins file", () => {
  const sha = "a".repeat(64);
  const pin: RevisionPin = {
    commit: "c".repeat(40),
    "schema.ts": sha,
    "schema.json": sha,
    definitions: { PARSE_ERROR: { ts: "1".repeat(16) }, Tool: { ts: "2".repeat(16), json: "3".repeat(16) } },
    lossy: { "constant-dropped": ["PARSE_ERROR"], "tags-dropped": ["Root", "Tool"] },
  };

  test("has one line per definition and rule", () => {
    expect(printPins({ r2: pin })).toBe(`{
  "r2": {
    "commit": "${pin.commit}",
    "schema.ts": "${sha}",
    "schema.json": "${sha}",
    "definitions": {
      "PARSE_ERROR": { "ts": "1111111111111111" },
      "Tool": { "ts": "2222222222222222", "json": "3333333333333333" }
    },
    "lossy": {
      "constant-dropped": ["PARSE_ERROR"],
      "tags-dropped": ["Root", "Tool"]
    }
  }
}
`);
  });

  test("equals the output of the script", () => {
    expect(readFileSync(join(schemaFolder(), "pins.json"), "utf8").replaceAll("\r\n", "\n")).toBe(printPins(pins));
  });

  test.each<[change: string, after: RevisionPin | undefined, drift: readonly string[]]>([
    ["nothing", pin, []],
    ["another commit", { ...pin, commit: "d".repeat(40) }, ["r2: commit"]],
    ["other bytes", { ...pin, "schema.json": "b".repeat(64) }, ["r2: schema.json"]],
    [
      "another meaning",
      { ...pin, definitions: { ...pin.definitions, Tool: { ts: "4".repeat(16), json: "3".repeat(16) } } },
      ["r2: ts of Tool"],
    ],
    [
      "a removed definition",
      { ...pin, definitions: { Tool: { ts: "2".repeat(16), json: "3".repeat(16) } } },
      ["r2: ts of PARSE_ERROR (gone)"],
    ],
    [
      "an added definition",
      { ...pin, definitions: { ...pin.definitions, ZERO: { ts: "5".repeat(16) } } },
      ["r2: ts of ZERO (new)"],
    ],
    [
      "a rule at another place",
      { ...pin, lossy: { ...pin.lossy, "tags-dropped": ["Tool"] } },
      ["r2: names under tags-dropped"],
    ],
    ["a removed revision", undefined, ["r2: gone"]],
  ])("differs by %s", (_, after, drift) => {
    expect(pinDrift({ r2: pin }, after ? { r2: after } : {})).toEqual(drift);
  });
});
