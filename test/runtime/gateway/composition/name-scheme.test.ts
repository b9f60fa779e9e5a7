import { describe, expect, test } from "vitest";
import { type NameOption, nameScheme } from "../../../../runtime/src/gateway/composition/name-scheme.js";

const servers = ["files", "web-search", "my server"];
const long = "x".repeat(10_000);
const valid = /^[A-Za-z0-9_.-]{1,128}$/;

describe("names of tools", () => {
  test.for<[string, NameOption | undefined, string, string, string]>([
    ["the default", undefined, "files", "read", "files_read"],
    ["another separator", { separator: "." }, "files", "read", "files.read"],
    ["a separator of several characters", { separator: "__" }, "files", "read", "files__read"],
    ["no prefix", "none", "files", "read", "read"],
    ["a function", (server, name) => `${name}-${server}`, "files", "read", "read-files"],
    ["names with dots and hyphens", undefined, "web-search", "v1.find", "web-search_v1.find"],
    ["a name of 128 characters", undefined, "files", "x".repeat(122), `files_${"x".repeat(122)}`],
  ])("%s", ([, option, server, name, expected]) => {
    expect(nameScheme(option, servers).nameOf(server, name)).toBe(expected);
  });

  // The digits are part of the contract: clients remember names across restarts.
  test.for<[string, NameOption | undefined, string, string, string]>([
    ["a space in the name of the server", undefined, "my server", "read", "my_server_read_"],
    ["other letters", undefined, "files", "größe", "files_gr__e_"],
    ["a slash", "none", "files", "a/b", "a_b_"],
    ["an empty name without prefix", "none", "files", "", "_"],
    ["a name that is too long", undefined, "files", "x".repeat(123), `files_${"x".repeat(113)}_`],
    ["a name of 10,000 characters", undefined, "files", long, `files_${"x".repeat(113)}_`],
    ["a shorter limit", { separator: "_", maxLength: 16 }, "files", "read_everything", "files_r_"],
  ])("%s is replaced", ([, option, server, name, start]) => {
    const { nameOf } = nameScheme(option, servers);
    const changed = nameOf(server, name);
    expect(changed.slice(0, -8)).toBe(start);
    expect(changed.slice(-8)).toMatch(/^[0-9a-f]{8}$/);
    expect(changed).toMatch(valid);
    expect(nameScheme(option, [...servers, "later"]).nameOf(server, name)).toBe(changed);
  });

  test("the hash is the same in each version", () => {
    expect(nameScheme(undefined, servers).nameOf("files", "a/b")).toBe("files_a_b_6679db54");
    expect(nameScheme(undefined, servers).nameOf("my server", "read")).toBe("my_server_read_dbd944b6");
  });

  test("names that are cut or cleaned alike stay different", () => {
    const { nameOf } = nameScheme(undefined, servers);
    const names = [`${long}a`, `${long}b`, "a/b", "a b", "a_b", "a\u{1F600}b", "a__b"];
    const all = [...names.map((name) => nameOf("files", name)), ...names.map((name) => nameOf("my server", name))];
    expect(new Set(all).size).toBe(all.length);
    for (const name of all) expect(name).toMatch(valid);
  });

  test("server and name are hashed apart", () => {
    const { nameOf } = nameScheme({ separator: "_" }, ["a b", "a"]);
    expect(nameOf("a b", "c").slice(-8)).not.toBe(nameOf("a", "b c").slice(-8));
  });
});

describe("the servers that may have a name", () => {
  test("are those whose prefix it has", () => {
    const { ownersOf } = nameScheme(undefined, ["a", "a_b", "b", "my server"]);
    expect(ownersOf("a_b_c")).toEqual(["a", "a_b"]);
    expect(ownersOf("b_c")).toEqual(["b"]);
    expect(ownersOf("my_server_read_0123abcd")).toEqual(["my server"]);
    expect(ownersOf("c_a_b")).toEqual([]);
    expect(ownersOf("")).toEqual([]);
  });

  test("are any without prefix", () => {
    expect(nameScheme("none", servers).ownersOf("read")).toBeUndefined();
    expect(nameScheme((_, name) => name, servers).ownersOf("read")).toBeUndefined();
  });

  test.for([16, 40, 64, 128])("always contain the server, with at most %i characters", (maxLength) => {
    const all = ["a", "__proto__", "ä".repeat(5), "b".repeat(30), "c".repeat(200), "d e", "\u{1F600}"];
    const scheme = nameScheme({ separator: "__", maxLength }, all);
    for (const server of all)
      for (const name of ["", "read", "a/b", "x".repeat(30), "x".repeat(119), "ü".repeat(500), "\ud83d", long]) {
        const shown = scheme.nameOf(server, name);
        expect(shown.length).toBeLessThanOrEqual(maxLength);
        expect(shown).toMatch(valid);
        expect(scheme.ownersOf(shown)).toContain(server);
      }
  });
});

describe("names of prompts", () => {
  test("have the prefix, and no other change", () => {
    const { nameOf, ownersOf } = nameScheme(undefined, servers, "prompts");
    expect(nameOf("my server", "größe /1")).toBe("my server_größe /1");
    expect(nameOf("files", long)).toBe(`files_${long}`);
    expect(ownersOf("my server_x")).toEqual(["my server"]);
    expect(ownersOf("my_server_x")).toEqual([]);
  });

  test("stay as they are with none", () => {
    expect(nameScheme("none", servers, "prompts").nameOf("files", "a b")).toBe("a b");
  });

  test("of a function only must not be empty", () => {
    expect(nameScheme((server, name) => `${server}: ${name}`, servers, "prompts").nameOf("a", "b")).toBe("a: b");
    expect(() => nameScheme(() => "", servers, "prompts").nameOf("a", "b")).toThrow(
      'names("a", "b") must return a non-empty string, not ""',
    );
  });
});

test("the prefix of a server", () => {
  expect(nameScheme(undefined, servers).prefixOf("files")).toBe("files_");
  expect(nameScheme({ separator: "." }, servers).prefixOf("my server")).toBe("my_server.");
  expect(nameScheme({ separator: "." }, servers, "prompts").prefixOf("my server")).toBe("my server.");
  expect(nameScheme({ separator: "_", maxLength: 16 }, servers).prefixOf("web-search")).toBe("web-sea");
  expect(nameScheme("none", servers).prefixOf("files")).toBeUndefined();
  expect(nameScheme((_, name) => name, servers).prefixOf("files")).toBeUndefined();
});

describe("functions that fail", () => {
  test.for<[string, () => unknown, string]>([
    [
      "a promise",
      () => Promise.resolve("a"),
      'names("files", "read") must return 1 to 128 letters, digits, "_", "-" and ".", not object',
    ],
    [
      "a space",
      () => "a b",
      'names("files", "read") must return 1 to 128 letters, digits, "_", "-" and ".", not "a b"',
    ],
    [
      "nothing",
      () => undefined,
      'names("files", "read") must return 1 to 128 letters, digits, "_", "-" and ".", not undefined',
    ],
  ])("%s", ([, option, message]) => {
    expect(() => nameScheme(option as NameOption, servers).nameOf("files", "read")).toThrow(
      expect.objectContaining({ code: "INVALID_CONFIGURATION", message }) as Error,
    );
  });

  test("an error is the cause", () => {
    const cause = new Error("no such server");
    const { nameOf } = nameScheme(() => {
      throw cause;
    }, servers);
    expect(() => nameOf("files", "read")).toThrow(
      expect.objectContaining({ message: 'names("files", "read") threw no such server', cause }) as Error,
    );
  });

  test("a name of 10,000 characters is shortened in the message", () => {
    const fail = (): string => nameScheme(() => long, servers).nameOf(long, long);
    expect(fail).toThrow(/…/);
    try {
      fail();
    } catch (error) {
      expect((error as Error).message.length).toBeLessThan(500);
    }
  });
});

describe("invalid options", () => {
  test.for<[unknown, string]>([
    ["all", 'names must be { separator: "_" }, "none" or a function (server, name) => string'],
    [{}, 'names must be { separator: "_" }, "none" or a function (server, name) => string'],
    [null, 'names must be { separator: "_" }, "none" or a function (server, name) => string'],
    [
      { separator: "" },
      'names.separator must have 1 to 8 letters, digits, "_", "-" and ".", not ""; for no prefix, write names: "none"',
    ],
    [
      { separator: "/" },
      'names.separator must have 1 to 8 letters, digits, "_", "-" and ".", not "/"; for no prefix, write names: "none"',
    ],
    [{ separator: "_", maxLength: 15 }, "names.maxLength must be an integer from 16 to 128, not 15"],
    [{ separator: "_", maxLength: 129 }, "names.maxLength must be an integer from 16 to 128, not 129"],
    [{ separator: "_", maxLength: 64.5 }, "names.maxLength must be an integer from 16 to 128, not 64.5"],
    [{ separator: "_", maxLength: "64" }, "names.maxLength must be an integer from 16 to 128, not 64"],
  ])("%j", ([option, message]) => {
    for (const kind of ["tools", "prompts"] as const)
      expect(() => nameScheme(option as NameOption, servers, kind)).toThrow(
        expect.objectContaining({ code: "INVALID_CONFIGURATION", message }) as Error,
      );
  });
});
