import fc from "fast-check";
import { expect, test } from "vitest";
import { isInsideRoots, isRootUri } from "../../../runtime/src/rules/roots.js";

const uris: readonly [string, boolean][] = [
  ["file:///home/user", true],
  ["file:///", true],
  ["FILE:///home", true],
  ["file:///C:/Users", true],
  ["file://server/share", true],
  ["file:/home", false],
  ["file:home", false],
  ["https://x.test/a", false],
  ["file:///a%2Fb", false],
  ["file:///a%zz", false],
  ["file:///a%00", false],
  ["file:///a/../../etc", false],
  ["file:///a/%2E.", false],
  ["file:///a/..b/c..", true],
  ["/home/user", false],
  ["", false],
];
test.each(uris)("whether %s may be a root: %j", (uri, expected) => expect(isRootUri(uri)).toBe(expected));

const places: readonly [file: string, root: string, inside: boolean][] = [
  ["file:///a/b", "file:///a/b", true],
  ["file:///a/b/", "file:///a/b", true],
  ["file:///a/b/c", "file:///a/b", true],
  ["file:///a/b/c", "file:///a/b/", true],
  ["file:///a//b/c", "file:///a/b", true],
  ["file:///a/b//../c", "file:///a/b", false],
  ["file:///x//../a/b", "file:///a", false],
  ["file:///a/b?query#fragment", "file:///a/b", true],
  ["file:///x", "file:///", true],
  ["file://localhost/a/b", "file:///a", true],
  ["file:///a%20b/c", "file:///a b", true],
  ["file:///%61/b", "file:///a", true],
  ["file:///a/bc", "file:///a/b", false],
  ["file:///a", "file:///a/b", false],
  ["file:///A/b", "file:///a", false],
  ["file:///a/b/../c", "file:///a/b", false],
  ["file:///a/b/%2e%2E/c", "file:///a/b", false],
  ["file:///a/b/c/..", "file:///a/b", true],
  ["file:///a/b/..%2fc", "file:///a/b", false],
  ["file:///a/b/..%5c..%5cc", "file:///a/b", false],
  ["file:///a/b\\..\\..\\c", "file:///a/b", false],
  ["file:///a/b/%252e%252e/c", "file:///a/b", true],
  ["file:///a/b/c%00.txt", "file:///a/b", false],
  ["file:///a/b/%zz", "file:///a/b", false],
  ["file://server/a/b", "file:///a", false],
  ["file://SERVER/a/b", "file://server/a", true],
  ["https://x.test/a/b", "file:///a", false],
  ["/a/b/c", "file:///a/b", true],
  ["/a/b/./c//d", "file:///a/b", true],
  ["/a/b/../c", "file:///a/b", false],
  ["/../a/b", "file:///a/b", true],
  ["/a/b%2F..", "file:///a/b", false],
  ["/a/b/50%", "file:///a/b", true],
  ["/a/b\\..\\..\\c", "file:///a/b", false],
  ["/a/b/c\0", "file:///a/b", false],
  ["a/b", "file:///a", false],
  ["", "file:///", false],
  ["C:\\Users\\me\\x", "file:///c%3A/Users/me", true],
  ["c:/Users/me/x", "file:///C:/Users/me", true],
  ["C:\\Users\\me\\..\\you", "file:///C:/Users/me", false],
  ["C:\\..\\D:\\x", "file:///D:/", false],
  ["D:\\x", "file:///C:/", false],
  ["C:\\x", "file:///", false],
  ["C:x", "file:///C:/", false],
  ["\\\\Server\\share\\x", "file://server/share", true],
  ["\\\\server\\share\\..\\other", "file://server/share", false],
  ["/a/b", "/a", false],
  ["/a/b", "https://x.test/a", false],
];
test.each(places)("%s in %s: %j", (file, uri, inside) => expect(isInsideRoots(file, [{ uri }])).toBe(inside));

test("a file may be in one of several roots, but not in none", () => {
  expect(isInsideRoots("/b/c", [{ uri: "nonsense" }, { uri: "file:///a" }, { uri: "file:///b" }])).toBe(true);
  expect(isInsideRoots("/b/c", [])).toBe(false);
});

test("`..` segments never leave a root undetected", () => {
  const steps = fc.array(fc.constantFrom("..", ".", "a", "b", "", "%2e%2e", "%2E."), { maxLength: 8 });
  fc.assert(
    fc.property(steps, (path) => {
      const depth = path.reduce<string[]>(
        (at, step) => {
          if (/^(\.|%2e){2}$/i.test(step)) return at.slice(0, -1);
          return step === "" || step === "." ? at : [...at, step];
        },
        ["base"],
      );
      const uri = `file:///base/${path.join("/")}`;
      const inside = isInsideRoots(uri, [{ uri: "file:///base" }]);
      if (!path.includes("")) expect(inside).toBe(depth[0] === "base");
      // After an empty segment, URLs and file systems resolve `..` differently: the file must be inside for both.
      if (inside) expect([depth[0], new URL(uri).pathname.split("/")[1]]).toEqual(["base", "base"]);
    }),
    { numRuns: 1_000 },
  );
});

test("no string makes it throw", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      (file, uri) => typeof isInsideRoots(`file://${file}`, [{ uri }, { uri: `file:///${uri}` }]) === "boolean",
    ),
  );
});
