import { describe, expect, test } from "vitest";
import type { Tool } from "../../../../runtime/src/authoring.js";
import { SelectedTools, type ToolSelection } from "../../../../runtime/src/gateway/composition/tool-selection.js";

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return { name, inputSchema: { type: "object" }, ...more };
}

/** The names that clients see, in order. */
function shown(selection: ToolSelection | undefined, ...names: readonly string[]): string[] {
  const selected = new SelectedTools(selection);
  return names.flatMap((name) => selected.select(tool(name))?.name ?? []);
}

describe("the tools that clients see", () => {
  const names = ["read_file", "read_secret", "write_file", "list"];

  test.for<[string, ToolSelection | undefined, string[]]>([
    ["no selection", undefined, names],
    ["an empty selection", {}, names],
    ["allow by name", { allow: ["list", "read_file"] }, ["read_file", "list"]],
    ["allow by pattern", { allow: ["read_*"] }, ["read_file", "read_secret"]],
    ["allow by regular expression", { allow: [/file$/] }, ["read_file", "write_file"]],
    ["a regular expression for a part of the name", { allow: [/d_s/] }, ["read_secret"]],
    ["an empty list", { allow: [] }, []],
    ["deny", { deny: ["*_file"] }, ["read_secret", "list"]],
    ["deny wins over allow", { allow: ["read_*"], deny: ["read_secret"] }, ["read_file"]],
    ["deny wins over an exact allow", { allow: ["read_secret", "list"], deny: ["*secret*"] }, ["list"]],
    ["a pattern is the whole name", { allow: ["read", "ist", "lis"] }, []],
    ["other characters are literal", { allow: ["r.ad_file", "[a-z]*", "read?file"] }, []],
  ])("%s", ([, selection, expected]) => {
    expect(shown(selection, ...names)).toEqual(expected);
  });

  test("includes says the same by the server's own name", () => {
    const selected = new SelectedTools({ allow: ["read_*"], deny: ["read_secret"], rename: { read_file: "get" } });
    expect(names.filter((name) => selected.includes(name))).toEqual(["read_file"]);
    expect(selected.includes("get")).toBe(false);
  });

  test("regular expressions with the flags g and y test each name from its start", () => {
    const pattern = /read/gy;
    pattern.lastIndex = 3;
    expect(shown({ allow: [pattern] }, "read_a", "read_b", "a_read", "read_c")).toEqual(["read_a", "read_b", "read_c"]);
    expect(pattern.lastIndex).toBe(3);
  });

  test("names of object members are names like others", () => {
    const odd = ["__proto__", "constructor", "toString"];
    expect(shown(undefined, ...odd)).toEqual(odd);
    expect(shown({ allow: ["toString"], rename: { a: "b" } }, ...odd)).toEqual(["toString"]);
    expect(shown(JSON.parse('{"rename":{"__proto__":"proto"}}') as ToolSelection, ...odd)[0]).toBe("proto");
  });
});

describe("new names", () => {
  test.for<[string, Record<string, string>, string, string]>([
    ["by name", { list: "list_files" }, "list", "list_files"],
    ["by pattern", { "get_*": "fetch_*" }, "get_user", "fetch_user"],
    ["a text at the end", { "*_v1": "old_*" }, "search_v1", "old_search"],
    ["a text in the middle", { "a*c": "x*z" }, "abbbc", "xbbbz"],
    ["an empty text", { "get_*": "fetch_*" }, "get_", "fetch_"],
    ["no overlap of start and end", { "aba*aba": "x*" }, "aba", "aba"],
    ["an exact name wins over patterns", { "get_*": "fetch_*", get_user: "user" }, "get_user", "user"],
    ["the first pattern wins", { "get_*": "a_*", "*_user": "b_*" }, "get_user", "a_user"],
    ["a pattern that would leave nothing does not apply", { "get_*": "*" }, "get_", "get_"],
    ["the text is not a replacement pattern", { "get_*": "$&_*" }, "get_$1", "$&_$1"],
  ])("%s", ([, rename, name, expected]) => {
    expect(shown({ rename }, name)).toEqual([expected]);
  });

  test("selection goes by the old name", () => {
    expect(shown({ allow: ["a"], deny: ["b"], rename: { a: "b" } }, "a", "b")).toEqual(["b"]);
  });
});

describe("overrides", () => {
  const server = tool("read", {
    title: "Read",
    description: "Reads a file.",
    annotations: { title: "Reader", destructiveHint: false },
  });

  test("replace title and description, and merge annotations", () => {
    const override = { read: { description: "Reads notes.", annotations: { readOnlyHint: true } } };
    expect(new SelectedTools({ override }).select(server)).toEqual({
      ...server,
      description: "Reads notes.",
      annotations: { title: "Reader", destructiveHint: false, readOnlyHint: true },
    });
    expect(server.description).toBe("Reads a file.");
    expect(server.annotations).toEqual({ title: "Reader", destructiveHint: false });
  });

  test("go by the server's name, patterns first", () => {
    const override = {
      read: { title: "exact" },
      "*": { title: "any", description: "any" },
      "r*": { description: "pattern" },
      seen: { title: "never" },
    };
    expect(new SelectedTools({ override, rename: { read: "seen" } }).select(server)).toMatchObject({
      name: "seen",
      title: "exact",
      description: "pattern",
    });
  });

  test("return the same object when nothing changes", () => {
    const override = {
      read: { title: "Read", description: undefined, annotations: { destructiveHint: false } },
      "write*": { title: "Write" },
    };
    expect(new SelectedTools({ override, rename: { a: "b", "c*": "d*" } }).select(server)).toBe(server);
    expect(new SelectedTools(undefined).select(server)).toBe(server);
  });

  test("keep the members that have not changed", () => {
    const selected = new SelectedTools({ override: { read: { title: "New" } } }).select(server);
    expect(selected?.annotations).toBe(server.annotations);
    expect(selected?.inputSchema).toBe(server.inputSchema);
  });
});

describe("invalid selections", () => {
  test.for<[unknown, string]>([
    [[], "tools must be an object; write { } with its members, or leave it out"],
    [{ alow: ["a"] }, 'tools has the unknown member "alow"; use allow, deny, rename, override, or remove it'],
    [{ allow: "read" }, 'tools.allow must be a list; write ["read_*"], for example'],
    [{ deny: ["a", 7] }, "tools.deny[1] must be a non-empty string or a regular expression; write a name of a tool"],
    [{ allow: [""] }, "tools.allow[0] must be a non-empty string or a regular expression; write a name of a tool"],
    [{ rename: ["a"] }, "tools.rename must be an object; write { } with its members, or leave it out"],
    [{ rename: { a: "" } }, 'tools.rename["a"] must be a non-empty string; write the new name'],
    [{ rename: { a: 1 } }, 'tools.rename["a"] must be a non-empty string; write the new name'],
    [{ rename: { "": "a" } }, 'tools.rename has an empty name; write a name or a pattern, such as "read_*"'],
    [{ rename: { "a*b*": "c*" } }, 'tools.rename["a*b*"] has several "*" in "a*b*"; write one "*" on each side'],
    [{ rename: { "a*": "**" } }, 'tools.rename["a*"] has several "*" in "**"; write one "*" on each side'],
    [
      { rename: { "a*": "b" } },
      'tools.rename["a*"] has a "*" on one side alone; write one on both sides, such as "get_*": "fetch_*", or none',
    ],
    [
      { rename: { a: "b*" } },
      'tools.rename["a"] has a "*" on one side alone; write one on both sides, such as "get_*": "fetch_*", or none',
    ],
    [{ override: { a: "text" } }, 'tools.override["a"] must be an object; write { description: "…" }, for example'],
    [
      { override: { a: { name: "b" } } },
      'tools.override["a"] has the unknown member "name"; use title, description, annotations, or remove it',
    ],
    [{ override: { a: { title: 1 } } }, 'tools.override["a"].title must be a string; write the text that clients see'],
    [
      { override: { a: { annotations: { readOnlyHint: "yes" } } } },
      'tools.override["a"].annotations.readOnlyHint must be a boolean; correct or remove it',
    ],
    [
      { override: { a: { annotations: { title: true } } } },
      'tools.override["a"].annotations.title must be a string; correct or remove it',
    ],
    [
      { override: { a: { annotations: [] } } },
      'tools.override["a"].annotations must be an object; write { } with its members, or leave it out',
    ],
  ])("%j", ([selection, message]) => {
    expect(() => new SelectedTools(selection as ToolSelection)).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION", message }) as Error,
    );
  });
});

describe("hostile names", () => {
  test("many stars and a long name take little time", () => {
    const selected = new SelectedTools({ deny: [`${"*a".repeat(5_000)}*b`, `${"a*".repeat(5_000)}c`] });
    const names = ["a".repeat(10_000), `${"a".repeat(9_999)}b`, "ab".repeat(5_000)];
    const start = performance.now();
    expect(names.map((name) => selected.includes(name))).toEqual([true, false, false]);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
