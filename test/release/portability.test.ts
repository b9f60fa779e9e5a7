/** Files, names and code that only Linux accepts, looked for where the tests run: on Linux. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { isWindowsName } from "../../generator/shared/files/windows-names.js";
import { root } from "../support/typecheck.js";
import { rules, shellOnly } from "./portability-rules.js";

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
    .split("\0")
    .filter((line) => line !== "");
const files = git("ls-files", "-z");

describe("tracked files", () => {
  test("have LF in the repository and in a checkout, unless they are binary", () => {
    const lines = git("ls-files", "-z", "--eol").map((line) => /^i\/(\S*)\s+w\/\S*\s+attr\/(.*?)\s*\t(.*)$/.exec(line));
    const found = lines.map((line) => [line?.[3] ?? "", line?.[1] ?? "", line?.[2] ?? ""] as const);
    expect(found.length).toBe(files.length);
    expect(found.filter(([, index]) => !["lf", "none", "-text"].includes(index))).toEqual([]);
    expect(found.filter(([, index, attributes]) => index !== "-text" && attributes !== "text=auto eol=lf")).toEqual([]);
    const binary = found.filter(([, index]) => index === "-text");
    expect(
      binary.filter(([path, , attributes]) => !/\.(?:png|gif|ico|woff2)$/.test(path) || attributes !== "-text"),
    ).toEqual([]);
  });

  test("have names that Windows accepts, of at most 200 characters", () => {
    expect(files.filter((path) => !path.split("/").every(isWindowsName))).toEqual([]);
    expect(files.filter((path) => path.length > 200)).toEqual([]);
  });

  test("have names that differ in more than case and the form of accents", () => {
    const folders = new Set(
      files.flatMap((path) => path.split("/").map((_, index, parts) => parts.slice(0, index + 1).join("/"))),
    );
    const seen = new Map<string, string>();
    for (const path of folders) {
      const plain = path.normalize("NFC").toLowerCase();
      expect([path, seen.get(plain)]).toEqual([path, undefined]);
      seen.set(plain, path);
    }
    expect(files.filter((path) => path !== path.normalize("NFC"))).toEqual([]);
  });

  test("are not links", () => {
    expect(git("ls-files", "-z", "--stage").filter((line) => /^120000|^160000/.test(line))).toEqual([]);
  });
});

describe("code that runs on machines of users", () => {
  const sources = files.filter(
    (path) =>
      /^(?:generator|runtime\/src|compat\/src|scripts|examples|templates)\/.*\.(?:[cm]?[jt]sx?|hbs)$/.test(path) &&
      // Starts Linux programs: bash and /proc.
      !path.startsWith("scripts/ci/"),
  );

  test("is searched", () => expect(sources.length).toBeGreaterThan(800));

  test.each(rules.map((rule) => [rule.id, rule] as const))("follows %s", (_, { pattern, remedy, wrong, right }) => {
    expect([pattern.test(wrong), pattern.test(right)]).toEqual([true, false]);
    const found = sources.flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found, remedy).toEqual([]);
  });
});

describe("npm scripts", () => {
  const manifests = files.filter((path) => basename(path) === "package.json" && !path.includes("/fixtures/"));
  const scripts = manifests.flatMap((path) =>
    Object.entries(
      (JSON.parse(readFileSync(join(root, path), "utf8")) as { readonly scripts?: Readonly<Record<string, string>> })
        .scripts ?? {},
    ).map(([name, command]) => `${path} ${name}: ${command}`),
  );

  test.each(shellOnly)("have not %s", (_, pattern, wrong, right) => {
    expect([pattern.test(wrong), pattern.test(right)]).toEqual([true, false]);
    expect(scripts.length).toBeGreaterThan(50);
    expect(scripts.filter((line) => pattern.test(line.slice(line.indexOf(": ") + 2)))).toEqual([]);
  });
});
